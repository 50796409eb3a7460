import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Player } from '@/ui/recording/player';
import { recordingOf } from '@/ui/recording/recordings';
import { ProductShot } from '@/ui/site/product-shot';
import type { Tutorial } from '@/content/tutorials';

/** The steps in pictures, for a tutorial without a recording. */
function Steps({ steps }: Pick<Tutorial, 'steps'>) {
  const [active, setActive] = useState(0);
  const step = steps[active];
  if (!step) return null;
  return (
    <div className="stack-sm">
      <ProductShot key={step.shot} name={step.shot} alt={t`Step ${active + 1}`} />
      <p aria-live="polite">
        <b>{t`Step ${active + 1} of ${steps.length}.`}</b> {step.text}
      </p>
      <div className="actions">
        {active > 0 && <Button variant="outline" onClick={() => setActive(active - 1)}>{t`Previous step`}</Button>}
        {active < steps.length - 1 && <Button onClick={() => setActive(active + 1)}>{t`Next step`}</Button>}
      </div>
    </div>
  );
}

/** A tutorial: the recording with a play button, or the steps in pictures; the text of all steps below. */
export function TutorialModal({ tutorial, onClose }: { tutorial: Tutorial | null; onClose: () => void }) {
  const recording = tutorial ? recordingOf(tutorial.id) : undefined;
  return (
    <Modal open={tutorial !== null} title={tutorial?.title ?? ''} onClose={onClose} size="lg">
      {tutorial &&
        (recording ? (
          <Player recording={recording} cover={tutorial.cover} title={tutorial.title} />
        ) : (
          <Steps key={tutorial.id} steps={tutorial.steps} />
        ))}
      {tutorial && recording && (
        <details className="transcript">
          <summary>{t`The same in words`}</summary>
          <ol>
            {tutorial.steps.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </details>
      )}
    </Modal>
  );
}
