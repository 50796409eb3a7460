import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inWords } from './state-words';

const sql = readFileSync('../migrations/0104_address.sql', 'utf8');
const states = [...sql.matchAll(/^ {4}\('(\d\d)', 'IN', '([^']+)'/gm)].map(([, id = '', name = '']) => ({ id, name }));

test('every State is named in Hindi, in the order of that language, and keeps its id', () => {
  expect(states).toHaveLength(36);
  const list = inWords(states);
  expect(list.filter(({ name }) => /[a-z]/i.test(name))).toEqual([]);
  expect(list.find(({ id }) => id === '27')).toEqual({ id: '27', name: 'महाराष्ट्र' });
  expect(list[0]).toEqual({ id: '35', name: 'अंडमान और निकोबार द्वीपसमूह' });
  expect(inWords([{ id: 'IN', name: 'India' }])).toEqual([{ id: 'IN', name: 'भारत' }]);
});

test('a State that is not known here keeps its name', () => {
  expect(inWords([{ id: '99', name: 'Nowhere' }])).toEqual([{ id: '99', name: 'Nowhere' }]);
});
