import { expect, test } from 'vitest';
import { readOperator } from './operator';

test('a page that the server filled in names its operator, with numbers to dial', () => {
  const facts = {
    name: 'Mango Lane Private Limited',
    phone: '+91 20 4000-0360',
    officerPhone: '020 4000 0361',
    sample: '',
  };
  expect(readOperator(JSON.stringify(facts))).toMatchObject({
    name: 'Mango Lane Private Limited',
    sample: '',
    phoneHref: 'tel:+912040000360',
    officerPhoneHref: 'tel:02040000361',
  });
});

test('a page that nobody filled in shows a sample that says it is one', () => {
  for (const json of [undefined, null, '', '%OPERATOR%']) {
    expect(readOperator(json).sample).toMatch(/^Sample details/);
  }
});
