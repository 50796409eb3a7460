import PlayIcon from 'bootstrap-icons/icons/play-fill.svg?component';
import { useRef, useState } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { ProductShot, shotAddress } from '@/components/site/product-shot';
import type { Tutorial } from '@/content/tutorials';
import { readTheme, resolveTheme } from '@/lib/theme';
import { recordingOf, type Recording } from '../recordings';

function Player({ recording, cover, title }: { recording: Recording; cover: string; title: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const [started, setStarted] = useState(false);
  const play = () => {
    setStarted(true);
    void video.current?.play();
    video.current?.focus();
  };
  return (
    <div className="player">
      <video ref={video} poster={shotAddress(cover, resolveTheme(readTheme()))} width={1280} height={800} controls={started} preload="none" playsInline aria-label={title} onPlay={() => setStarted(true)}>
        <source src={recording.webm} type="video/webm" />
        {recording.mp4 && <source src={recording.mp4} type="video/mp4" />}
        <track kind="captions" src={recording.captions} srcLang="en" label="English" default />
      </video>
      {!started && (
        <button type="button" className="player-start" aria-label={`Play: ${title}`} onClick={play}>
          <PlayIcon />
        </button>
      )}
    </div>
  );
}

/** The steps in pictures, for a tutorial that was not recorded. */
function Steps({ steps }: Pick<Tutorial, 'steps'>) {
  const [active, setActive] = useState(0);
  const step = steps[active];
  if (!step) return null;
  return (
    <div className="stack-sm">
      <ProductShot key={step.shot} name={step.shot} sketch={step.sketch} alt={`Step ${active + 1}`} />
      <p aria-live="polite">
        <b>
          Step {active + 1} of {steps.length}.
        </b>{' '}
        {step.text}
      </p>
      <div className="actions">
        {active > 0 && (
          <Button variant="outline" onClick={() => setActive(active - 1)}>
            Previous step
          </Button>
        )}
        {active < steps.length - 1 && <Button onClick={() => setActive(active + 1)}>Next step</Button>}
      </div>
    </div>
  );
}

/** A tutorial: the recording with a play button, or the steps in pictures; the words of all steps below either. */
export function TutorialModal({ tutorial, onClose }: { tutorial: Tutorial | null; onClose: () => void }) {
  const recording = tutorial ? recordingOf(tutorial.id) : undefined;
  return (
    <Modal open={tutorial !== null} title={tutorial?.title ?? ''} onClose={onClose} size="lg">
      {tutorial && (recording ? <Player recording={recording} cover={tutorial.cover} title={tutorial.title} /> : <Steps key={tutorial.id} steps={tutorial.steps} />)}
      {tutorial && recording && (
        <details className="transcript">
          <summary>The same in words</summary>
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
