import { t } from '@lingui/core/macro';
import ListIcon from 'bootstrap-icons/icons/list-ol.svg?component';
import PlayIcon from 'bootstrap-icons/icons/play-fill.svg?component';
import { useState } from 'react';
import { latePart } from '@/start/page/late';
import { recordingOf } from '@/ui/recording/recordings';
import { CallToAction } from '@/ui/site/call-to-action';
import { PageHero } from '@/ui/site/page-hero';
import { ProductShot } from '@/ui/site/product-shot';
import { tutorials, type Tutorial } from '@/content/tutorials';
import './tutorial.scss';

const TutorialModal = latePart(async () => (await import('./tutorial-modal')).TutorialModal);

function Thumbnail({
  tutorial: { id, title, text, cover, steps },
  eager,
  onOpen,
}: {
  tutorial: Tutorial;
  /** Loads the picture at once, for the card that is seen first. */
  eager: boolean;
  onOpen: () => void;
}) {
  const recording = recordingOf(id);
  return (
    <li>
      <button type="button" className="tutorial-card" aria-haspopup="dialog" onClick={onOpen}>
        <span className="tutorial-picture">
          <ProductShot
            name={cover}
            alt=""
            eager={eager}
            sizes="(min-width: 1200px) 370px, (min-width: 992px) 32vw, (min-width: 576px) 48vw, 94vw"
          />
          <span className="tutorial-mark">{recording ? <PlayIcon /> : <ListIcon />}</span>
        </span>
        <b>{title}</b>
        <span className="text-muted">{text}</span>
        <span className="text-muted text-sm">
          {recording ? t`Video with captions` : t`${steps.length} steps in pictures`}
        </span>
      </button>
    </li>
  );
}

/** The tutorials, in grey until hovered. */
export function TutorialPage() {
  const [opened, setOpened] = useState<Tutorial | null>(null);
  const [ever, setEver] = useState(false);
  return (
    <>
      <PageHero
        title={t`Tutorials`}
        description={t`How to sign up, choose a plan, set up a store, link a domain and find an invoice on Franchise 360, shown step by step.`}
        intro={t`Short videos of the product itself. Every video has captions.`}
      />
      <div className="container">
        <ul className="tutorial-grid">
          {tutorials.map((tutorial, index) => (
            <Thumbnail
              key={tutorial.id}
              tutorial={tutorial}
              eager={index === 0}
              onOpen={() => {
                setEver(true);
                setOpened(tutorial);
              }}
            />
          ))}
        </ul>
      </div>
      {ever && <TutorialModal tutorial={opened} onClose={() => setOpened(null)} />}
      <CallToAction />
    </>
  );
}
