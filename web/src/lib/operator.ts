/** The operator and the grievance officer, whom rule 4 of the E-Commerce Rules 2020 requires on every page. */
interface Operator {
  name: string;
  address: string;
  /** CIN and GSTIN in one line. */
  registration: string;
  email: string;
  phone: string;
  officer: string;
  officerEmail: string;
  officerPhone: string;
  officerHours: string;
  /** A notice that these details are samples; empty in production. */
  sample: string;
}

export interface OperatorLinks extends Operator {
  phoneHref: string;
  officerPhoneHref: string;
}

/** Shown where no server fills pages in: the development server of the web client, and tests. */
const sample: Operator = {
  name: 'Franchise 360 Private Limited',
  address: '4th Floor, Trade Centre, Bandra Kurla Complex, Mumbai 400051, Maharashtra',
  registration: 'CIN U72900MH2024PTC000360 · GSTIN 27AAPFU0939F1ZV',
  email: 'help@franchise360.example',
  phone: '+91 22 4000 0360',
  officer: 'Meera Kulkarni, Grievance Officer',
  officerEmail: 'grievance@franchise360.example',
  officerPhone: '+91 22 4000 0361',
  officerHours: 'Monday to Friday, 10 am to 6 pm',
  sample: 'Sample details: this is a development system, and nobody is behind them.',
};

/** What the build writes into the pages; the server puts the facts in when it starts. */
const marks: OperatorLinks = {
  name: '%OPERATOR_NAME%',
  address: '%OPERATOR_ADDRESS%',
  registration: '%OPERATOR_REGISTRATION%',
  email: '%OPERATOR_EMAIL%',
  phone: '%OPERATOR_PHONE%',
  officer: '%OPERATOR_OFFICER%',
  officerEmail: '%OPERATOR_OFFICER_EMAIL%',
  officerPhone: '%OPERATOR_OFFICER_PHONE%',
  officerHours: '%OPERATOR_OFFICER_HOURS%',
  sample: '%OPERATOR_SAMPLE%',
  phoneHref: 'tel:%OPERATOR_PHONE_DIGITS%',
  officerPhoneHref: 'tel:%OPERATOR_OFFICER_PHONE_DIGITS%',
};

const dial = (phone: string) => `tel:${phone.replace(/[^+\d]/g, '')}`;

/** The operator that a page carries as JSON; the sample where no server has filled it in. */
export function readOperator(json: string | null | undefined): OperatorLinks {
  const facts = json?.trim().startsWith('{') ? (JSON.parse(json) as Operator) : sample;
  return { ...facts, phoneHref: dial(facts.phone), officerPhoneHref: dial(facts.officerPhone) };
}

export const operator: OperatorLinks =
  typeof document === 'undefined' ? marks : readOperator(document.getElementById('operator')?.textContent);
