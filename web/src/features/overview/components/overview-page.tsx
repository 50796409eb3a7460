import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { latePart } from '@/start/page/late';
import { Badge } from '@/ui/notice';
import { CallToAction } from '@/ui/site/call-to-action';
import { PageHero } from '@/ui/site/page-hero';
import { ScopeNote } from '@/ui/site/scope-note';
import { Section } from '@/ui/site/section';
import { TableBox } from '@/ui/site/table-box';
import { TickList } from '@/ui/site/tick-list';
import { Table } from '@/ui/list/table';
import { plans, rupees } from '@/content/catalogue';
import { gstPercent } from '@/content/gst';
import { comparison } from '@/content/comparison';
import { TierArt } from './tier-art';
// The markup of the comparison is in the page before its scripts are, so its rules have to be there too.
import '@/domain/plan-comparison/plan-comparison.scss';
import './overview.scss';

const PlanComparison = latePart(async () => (await import('@/domain/plan-comparison/plan-comparison')).PlanComparison, {
  when: 'loaded',
});

/** The add-ons in the order of the price book. */
const addOns = plans[0]?.services[0]?.addOns ?? [];

interface Line {
  label: string;
  values: string[];
  strong?: boolean;
}

function PlanTable({ plan }: { plan: (typeof plans)[number] }) {
  const lines: Line[] = [
    { label: t`Franchises, up to`, values: plan.services.map((service) => String(service.franchises)) },
    {
      label: t`Annual`,
      values: plan.services.map((service) => rupees(service.yearlyPaise - service.discountPaise)),
      strong: true,
    },
    { label: t`List price of a year`, values: plan.services.map((service) => rupees(service.yearlyPaise)) },
    {
      label: t`Additional 10% off, paid annually`,
      values: plan.services.map((service) => `−${rupees(service.discountPaise)}`),
    },
    { label: t`Monthly`, values: plan.services.map((service) => rupees(service.monthlyPaise)) },
    ...addOns.map(({ key, name, oncePaise }) => ({
      label: oncePaise > 0 ? t`${name}, charged once` : name,
      values: plan.services.map((service) => {
        const addOn = service.addOns.find((one) => one.key === key);
        return rupees(addOn ? addOn.yearlyPaise + addOn.oncePaise : 0);
      }),
    })),
    {
      label: t`All-in-one, first year`,
      values: plan.services.map((service) => rupees(service.allInPaise)),
      strong: true,
    },
  ];
  return (
    <TableBox label={t`Prices of ${plan.name}`}>
      <Table
        className="price-table"
        caption={t`Prices of ${plan.name} by tier, excluding GST`}
        rows={lines}
        rowKey={({ label }) => label}
        rowClass={({ strong }) => (strong ? 'price-strong' : undefined)}
        columns={[
          { label: '', cell: ({ label }) => label },
          ...plan.services.map(({ tier }, at) => ({
            label: tier,
            cell: ({ values }: Line) => <span className="tabular">{values[at]}</span>,
          })),
        ]}
      />
    </TableBox>
  );
}

/** An id without spaces, since aria-labelledby splits at them. */
const idOf = (plan: string) => `plan-${plan.toLowerCase().replace(/\s+/g, '-')}`;

function PlanBreakdown() {
  return (
    <Section
      id="plan-breakdown"
      tone="surface"
      title={t`The plans, line by line`}
      intro={t`Four plans, three sizes each. Amounts in rupees, excluding ${gstPercent}% GST; the add-ons are priced per tier, by the year or once.`}
    >
      <div className="stack-lg">
        {plans.map((plan) => (
          <section key={plan.name} className="plan-breakdown panel" aria-labelledby={idOf(plan.name)}>
            <div className="stack-sm">
              <h3 id={idOf(plan.name)}>
                {plan.name} {plan.mostPopular && <Badge tone="gold">{t`Most popular`}</Badge>}
              </h3>
              <TickList items={plan.features} />
            </div>
            <PlanTable plan={plan} />
          </section>
        ))}
      </div>
      <p className="text-muted text-center mt-5">
        <Trans>
          Users app, users extension (50,000 users), franchise extension (10 franchises) and distribution model setup
          are add-ons. The <Link to="/pricing">pricing page</Link> has the prices in force today.
        </Trans>
      </p>
    </Section>
  );
}

function Comparison() {
  return (
    <Section
      id="comparison"
      title={t`Compared with other ways`}
      intro={t`How kinds of tools usually differ. Ask each provider for its own figures.`}
    >
      <TableBox label={t`Comparison with other franchise platforms`}>
        <Table
          className="price-table comparison-table"
          caption={t`Franchise 360 beside other franchise platforms and work by hand`}
          rows={comparison}
          rowKey={({ topic }) => topic}
          columns={[
            { label: '', cell: ({ topic }) => topic },
            { label: 'Franchise 360', cell: ({ ours }) => ours },
            { label: t`Other franchise platforms`, cell: ({ software }) => software },
            { label: t`By hand`, cell: ({ byHand }) => byHand },
          ]}
        />
      </TableBox>
    </Section>
  );
}

const parts = [
  [
    t`For the brand`,
    t`A store with your name and domain, an app for Android and iOS, one price list, one set of commissions, one view of every outlet.`,
  ],
  [
    t`For the franchise`,
    t`Terms and stock on the first day, orders without phone calls, a share of what customers redeem.`,
  ],
  [t`For the customer`, t`The same product at the same price in every outlet, and points that count in all of them.`],
] as const;

/** What the platform is, the plans line by line, and a comparison with the alternatives. */
export function OverviewPage() {
  return (
    <>
      <PageHero
        title={t`Overview`}
        description={t`What Franchise 360 is, its four plans line by line with tiers and add-ons, and a comparison with other franchise platforms.`}
        intro={t`Franchise 360 is a subscription: a platform for the brand, its franchises and their customers, in one.`}
        actions={<ButtonLink to="/pricing" size="lg">{t`Explore Our Plans`}</ButtonLink>}
        art={<TierArt />}
      />
      <div className="container">
        <ScopeNote />
        <dl className="overview-parts">
          {parts.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
      <Section
        id="compare-plans"
        title={t`The plans side by side`}
        intro={t`Prices of the smallest size, excluding ${gstPercent}% GST.`}
      >
        <PlanComparison planType="monthly" />
      </Section>
      <PlanBreakdown />
      <Comparison />
      <CallToAction />
    </>
  );
}
