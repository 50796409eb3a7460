import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tutorials } from '@/content/tutorials';
import { recordingOf } from '@/ui/recording/recordings';
import { renderRoutes } from '@/testing/render';
import { TutorialPage } from './tutorial-page';

const card = (title: string) => screen.getByText(title, { selector: 'b' }).closest('button')!;

test('every tutorial says whether it is a video or pictures', () => {
  renderRoutes([{ path: 'tutorial', element: <TutorialPage /> }]);
  for (const { id, title, steps } of tutorials)
    expect(card(title)).toHaveTextContent(
      recordingOf(id) ? 'Video with captions' : `${steps.length} steps in pictures`,
    );
});

test('a tutorial opens under its title, and another one after it', async () => {
  const { user } = renderRoutes([{ path: 'tutorial', element: <TutorialPage /> }]);
  for (const { title } of [tutorials[0]!, tutorials.at(-1)!]) {
    await user.click(card(title));
    const dialog = await screen.findByRole('dialog', { name: title });
    await user.click(within(dialog).getByLabelText('Close'));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  }
});

test('the words of a recorded tutorial can be read instead', async () => {
  const recorded = tutorials.find(({ id }) => recordingOf(id))!;
  const { user } = renderRoutes([{ path: 'tutorial', element: <TutorialPage /> }]);
  await user.click(card(recorded.title));
  const dialog = within(await screen.findByRole('dialog', { name: recorded.title }));
  await user.click(dialog.getByText('The same in words'));
  for (const { text } of recorded.steps) expect(dialog.getByText(text)).toBeInTheDocument();
});
