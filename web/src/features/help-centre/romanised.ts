/**
 * Maps Hindi search words, in Latin letters or Devanagari, to words used in the English and Hindi articles. Each line: the usual spellings,
 * and their meaning.
 */
const lines: readonly (readonly [typed: string, meant: string])[] = [
  ['paisa paise pese rupaya rupaye rupees पैसा पैसे रुपया रुपये', 'money debited payment पैसा भुगतान'],
  ['wapas vapas wapis vapis waapas वापस', 'refund refunded returns रिफ़ंड लौटा'],
  ['lautana lautao lauta लौटाना', 'refund returns लौटा'],
  ['kat kata kati kaat katgaya कट कटा', 'debited कट'],
  ['bill bil rasid raseed receipt बिल रसीद', 'invoice इनवॉइस'],
  ['invoice इनवॉइस', 'invoice इनवॉइस'],
  ['plan plaan प्लान', 'plan प्लान'],
  ['badalna badle badlu badlein badlo badal badalne बदलना बदलें', 'change move बदल दूसरा'],
  ['bada badha badhana बड़ा बढ़ाना', 'larger extension बड़ा एक्सटेंशन'],
  ['chota chhota छोटा', 'smaller छोटा'],
  ['otp code kod ओटीपी कोड', 'code कोड'],
  ['aaya aya aata ata aati mila milta pahucha आया आता मिला', 'arrive arrived sms नहीं'],
  ['bhugtan payment pement pay भुगतान पेमेंट', 'payment pay भुगतान'],
  ['fail failed asafal atka अटका असफल फेल', 'failed fails असफल'],
  ['khata khaata account अकाउंट खाता', 'account खाता खाते'],
  ['banana banaye banaen banau बनाना बनाएँ', 'sign set create साइन बना सेट'],
  ['kholna khole kholu खोलना', 'open sign खोल'],
  ['dukan dukaan दुकान', 'store स्टोर'],
  ['store स्टोर', 'store स्टोर'],
  ['domain website vebsite डोमेन वेबसाइट', 'domain डोमेन'],
  ['jodna jode jodein jodu जोड़ना जोड़ें', 'link add जोड़'],
  ['hatana hataye mitana mitaye delete हटाना मिटाना', 'erase cancel remove मिटा हटा बंद'],
  ['band बंद', 'cancel stop बंद'],
  ['bhul bhool भूल', 'forgot forget भूल'],
  ['pata address पता', 'address पता'],
  ['muft free फ्री मुफ़्त', 'free फ़्री'],
  ['trial ट्रायल', 'trial ट्रायल'],
  ['kitni kitne kitna कितनी कितने कितना', 'many limit कितनी सीमा'],
  ['seema limit सीमा', 'limit सीमा'],
  ['naam नाम', 'name नाम'],
  ['renew rinyu रिन्यू', 'renew renewal रिन्यू'],
  ['khatam khatm samapt ख़त्म खत्म समाप्त', 'end ends expired expiry खत्म समाप्त'],
  ['kharidna kharide lena खरीदना लेना', 'buy choose pay खरीद चुन'],
  ['chunna chune chunu चुनना', 'choose चुन'],
  ['kam kaam काम', 'work काम'],
  ['login लॉगिन', 'log login लॉगिन'],
  ['signup sign साइन', 'sign साइन'],
  ['jankari data डेटा जानकारी', 'data डेटा'],
];

/** Stop words. */
const FILLERS = new Set(
  (
    'kaise kese kaisey kya kyu kyun kyon kab kahan kaha kahaan kaun ka ki ke ko se mein main me mai par pe hai he hain ho ' +
    'hota hoti hua hui gaya gaye gayi raha rahe rahi nahi nahin nhi na mera meri mere mujhe humara hamara apna apni apne aap chahiye ' +
    'karna kare karen karein karu karo kar karne krna kre kru hoga hogi sakta sakti sakte tha thi aur ya to bhi liye wala ' +
    'कैसे क्या क्यों कब कहाँ कहां कौन का की के को से में पर है हैं हो होता होती हुआ गया गई रहा रही नहीं मेरा मेरी मेरे मुझे अपना अपनी ' +
    'अपने चाहिए करना करें करूँ करो कर होगा सकता सकते और या तो भी लिए'
  ).split(' '),
);

const meanings = new Map<string, string[]>();
for (const [typed, meant] of lines) for (const word of typed.split(' ')) meanings.set(word, meant.split(' '));

/** The meanings of a typed Hindi word; empty for an unknown word. */
export const meaningsOf = (word: string): readonly string[] => meanings.get(word) ?? [];

/** The query without stop words; the whole query if it has only stop words. */
export function telling(words: readonly string[]): string[] {
  const found = words.filter((word) => !FILLERS.has(word));
  return found.length > 0 ? found : [...words];
}
