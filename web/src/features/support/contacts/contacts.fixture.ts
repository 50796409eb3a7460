import type { Contact, ContactOpened } from '../api/contacts';

export const id = '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50';

export const contact: Contact = {
  id,
  name: 'Meera Nair',
  email: 'meera@example.in',
  mobile: '9876543210',
  topic: 'billing',
  message: 'My invoice lacks the GSTIN.',
  state: 'open',
  owner: '',
  owner_id: null,
  mine: false,
  created_at: '2025-11-20T05:30:00Z',
  updated_at: '2025-11-20T05:30:00Z',
  due_at: '2025-11-21T05:30:00Z',
  answer_by: '2025-11-21T05:30:00Z',
  answered_at: null,
  settle_by: '2025-11-25T05:30:00Z',
  settled_at: null,
  customer_id: null,
  customer: '',
  by_email: false,
  proved: false,
  channel: 'form',
  wrote_at: '2025-11-20T05:30:00Z',
  priority: false,
  version: 1,
};

export const opened: ContactOpened = {
  request: contact,
  entries: [
    {
      id: 'e0',
      kind: 'answer',
      channel: 'form',
      sender: '',
      text: 'My invoice lacks the GSTIN.',
      quoted: '',
      files: [],
      author: '',
      created_at: '2025-11-20T05:30:00Z',
      sent_at: null,
      failure: '',
    },
  ],
  macros: [
    { id: 'm1', title: 'How to pay', text: 'Dear Meera, you pay by UPI.', lacks: [] },
    { id: 'm2', title: 'Of the account', text: 'The account  is yours.', lacks: ['customer'] },
  ],
  colleagues: [
    { id: 's1', name: 'Sunita', role: 'support' },
    { id: 's2', name: 'Priya', role: 'finance' },
  ],
  way: { channel: 'email', why: '', until: null },
};
