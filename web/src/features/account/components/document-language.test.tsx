import { useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { profile } from '@/testing/security';
import { answer, refuse } from '@/testing/server';
import { profileQuery } from '@/domain/email-proof/api/profile';
import { DocumentLanguage } from './document-language';

function Choice() {
  const { data } = useQuery(profileQuery);
  return data && <DocumentLanguage chosen={data.document_language} />;
}

test('documents come in English and Hindi once that is chosen, and a failure says why', async () => {
  const user = userEvent.setup();
  answer('get', '/profile/details/profile', profile);
  renderRoutes([{ path: '/', element: <Choice /> }], { at: '/' });
  const refused = refuse('put', '/profile/document-language', 503, {
    code: 'unavailable',
    message: 'Please try again.',
  });
  const group = await screen.findByRole('group', { name: 'Language of invoices and other documents' });
  expect(within(group).getByRole('radio', { name: 'English only' })).toBeChecked();
  await user.click(within(group).getByRole('radio', { name: 'English and हिन्दी' }));
  await waitFor(() => expect(group).toHaveTextContent('Please try again.'));
  expect(within(group).getByRole('radio', { name: 'English only' })).toBeChecked();
  expect(refused.requests).toHaveLength(1);
  const sent = answer('put', '/profile/document-language', { ...profile, document_language: 'hi' });
  await user.click(within(group).getByRole('radio', { name: 'English and हिन्दी' }));
  await waitFor(() => expect(within(group).getByRole('radio', { name: 'English and हिन्दी' })).toBeChecked());
  expect(sent.bodies).toEqual([{ language: 'hi' }]);
  expect(await accessibilityFaults(group)).toEqual([]);
});
