/**
 * What people type, in English, in Hindi in Latin letters or in Devanagari, and the words that the English and Hindi articles use. Each line:
 * the usual spellings, and their meanings. An underscore is a space inside a phrase.
 */
const lines: readonly (readonly [typed: string, meant: string])[] = [
  ['paisa paise pese rupaya rupaye rupees money पैसा पैसे रुपया रुपये', 'money debited payment पैसा भुगतान'],
  ['wapas vapas wapis vapis waapas moneyback वापस', 'refund refunded returns रिफ़ंड लौटा'],
  ['lautana lautao lauta return लौटाना', 'refund returns लौटा'],
  ['refund रिफंड', 'refund रिफ़ंड लौटा'],
  ['kat kata kati kaat katgaya deducted debited charged कट कटा', 'debited debit कट'],
  ['bill bil billing rasid raseed receipt invoice बिल रसीद इनवॉइस', 'invoice इनवॉइस'],
  ['tax टैक्स', 'gst टैक्स'],
  ['plan plaan subscription package प्लान', 'plan प्लान'],
  ['badalna badle badlu badlein badlo badal badalne switch बदलना बदलें', 'change move बदल दूसरा'],
  ['upgrade downgrade', 'move दूसरा'],
  ['bada badha badhana बड़ा बढ़ाना', 'larger extension बड़ा एक्सटेंशन'],
  ['chota chhota छोटा', 'smaller छोटा'],
  ['otp code kod ओटीपी कोड', 'code कोड'],
  [
    'aaya aya aata ata aati mila milta pahucha come coming came receive received get got आया आता मिला',
    'arrive arrived sms नहीं',
  ],
  ['bhugtan payment pement pay paid paying भुगतान पेमेंट', 'pay paid भुगतान'],
  ['fail failed failure asafal atka stuck अटका असफल फेल', 'failed fails असफल'],
  ['khata khaata account अकाउंट खाता', 'account खाता खाते'],
  ['banana banaye banaen banau register बनाना बनाएँ', 'sign set create साइन बना सेट'],
  ['kholna khole kholu खोलना', 'open sign खोल'],
  ['dukan dukaan shop दुकान', 'store स्टोर'],
  ['store स्टोर', 'store स्टोर'],
  ['domain website vebsite url डोमेन वेबसाइट', 'domain डोमेन'],
  ['jodna jode jodein jodu connect जोड़ना जोड़ें', 'link add जोड़'],
  ['hatana hataye mitana mitaye delete remove हटाना मिटाना', 'erase cancel remove मिटा हटा बंद'],
  [
    'cancel cancelled canceled cancelling cancellation stop stopped stopping end terminate unsubscribe radd rad band रद्द बंद',
    'cancel stop refund बंद रिफ़ंड',
  ],
  ['sim sim_card simcard phone fone mobile handset सिम सिम_कार्ड मोबाइल फ़ोन', 'mobile मोबाइल'],
  [
    'lost lose losing loss stolen missing khoya kho khogaya gum chori खो खोया खोई गुम चोरी',
    'no_longer_have अब_आपके_पास_नहीं forgot भूल',
  ],
  ['number nambar no. नंबर नम्बर', 'number नंबर'],
  ['bhul bhool forgot forget forgotten भूल', 'forgot forget भूल'],
  ['pata address पता', 'address पता'],
  ['pin', 'pincode पिनकोड'],
  ['muft free फ्री मुफ़्त', 'free फ़्री'],
  ['trial ट्रायल', 'trial ट्रायल'],
  ['kitni kitne kitna कितनी कितने कितना', 'many limit कितनी सीमा'],
  ['seema limit सीमा', 'limit सीमा'],
  ['naam नाम', 'name नाम'],
  ['renew renewal rinyu रिन्यू', 'renew रिन्यू'],
  ['automatic auto autopay अपने_आप', 'automatic अपने_आप'],
  ['khatam khatm samapt expire ख़त्म खत्म समाप्त', 'end ends expired expiry खत्म समाप्त'],
  ['kharidna kharide lena buy खरीदना लेना', 'buy choose pay खरीद चुन'],
  ['chunna chune chunu चुनना', 'choose चुन'],
  ['kam kaam work काम', 'work काम'],
  ['login log_in sign_in signin log_on logon लॉगिन लॉग_इन साइन_इन', 'log_in लॉगिन'],
  ['signup sign_up sign साइन साइन_अप', 'sign_up साइन'],
  ['password पासवर्ड', 'password पासवर्ड'],
  ['download डाउनलोड', 'download find मिल'],
  ['jankari data डेटा जानकारी', 'data डेटा'],
];

/** Small words that say nothing about the question. */
const fillers =
  'a about after again am an and any are as at be been but by can cannot cant could did didnt do does doesnt dont for from had has have ' +
  'help how i if im in into is isnt it its just me my need no not of off on or our please should so that the their them then there ' +
  'these they this to too us want was wasnt we what when where which who why will with wont would you your ' +
  'kaise kese kaisey kya kyu kyun kyon kab kahan kaha kahaan kaun ka ki ke ko se mein main mai par pe hai he hain ho ' +
  'hota hoti hua hui gaya gaye gayi raha rahe rahi nahi nahin nhi na mera meri mere mujhe humara hamara apna apni apne aap chahiye ' +
  'karna kare karen karein karu karo kar karne krna kre kru hoga hogi sakta sakti sakte tha thi aur ya bhi liye wala ' +
  'कैसे क्या क्यों कब कहाँ कौन का की के को से में पर है हैं हो होता होती हुआ गया गई रहा रही नहीं मेरा मेरी मेरे मुझे अपना अपनी ' +
  'अपने चाहिए करना करें करूँ करो कर होगा सकता सकते और या तो भी लिए';

/** Text for comparison: lower case, words between single spaces, and one spelling of nasal and dotted Devanagari letters. */
export function normal(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFC')
    .replace(/\u093c/g, '')
    .replace(/\u0901/g, '\u0902')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

const phrase = (words: string) => normal(words.replaceAll('_', ' '));

const skipped = new Set(fillers.split(' ').map(normal));
const meanings = new Map<string, string[]>();
for (const [typed, meant] of lines)
  for (const words of typed.split(' ')) meanings.set(phrase(words), meant.split(' ').map(phrase));
const longest = Math.max(...[...meanings.keys()].map((words) => words.split(' ').length));

/** The word, then the word without an English ending. */
function forms(word: string): string[] {
  const stems = ['s', 'es', 'ed', 'ing'].filter((end) => word.endsWith(end)).map((end) => word.slice(0, -end.length));
  return [word, ...stems.filter((stem) => /^[a-z]{4,}$/.test(stem))];
}

/** The terms of a query; each term is the list of the words that an article may use for it. Small words are left out. */
export function termsOf(query: string): string[][] {
  const words = normal(query).split(' ').filter(Boolean);
  const terms: { words: string; filler: boolean }[] = [];
  for (let at = 0; at < words.length;) {
    const size = Array.from({ length: longest }, (_, n) => longest - n).find(
      (n) => n === 1 || (at + n <= words.length && meanings.has(words.slice(at, at + n).join(' '))),
    );
    const term = words.slice(at, at + (size ?? 1)).join(' ');
    terms.push({ words: term, filler: skipped.has(term) });
    at += size ?? 1;
  }
  const telling = terms.filter(({ filler }) => !filler);
  return (telling.length > 0 ? telling : terms).map(({ words: term }) => {
    const alike = forms(term);
    return [...alike, ...(alike.map((form) => meanings.get(form)).find(Boolean) ?? [])];
  });
}
