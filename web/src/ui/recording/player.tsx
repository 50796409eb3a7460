import { t } from '@lingui/core/macro';
import PlayIcon from 'bootstrap-icons/icons/play-fill.svg?component';
import { useEffect, useRef, useState } from 'react';
import { readTheme, resolveTheme } from '@/lib/theme';
import { shotAddress } from '../site/product-shot';
import type { Recording } from './recordings';
import './player.scss';

export interface PlayerProps {
  recording: Recording;
  /** The screenshot shown until it plays. */
  cover: string;
  title: string;
}

/** A recording of the product with captions, which starts on request. */
export function Player({ recording, cover, title }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [started, setStarted] = useState(false);
  const play = () => {
    setStarted(true);
    void video.current?.play();
  };
  // The button has been removed by now; the video can be focused only with its controls.
  useEffect(() => {
    if (started) video.current?.focus();
  }, [started]);
  return (
    <div className="player">
      <video
        ref={video}
        poster={shotAddress(cover, resolveTheme(readTheme()))}
        width={1280}
        height={800}
        controls={started}
        preload="none"
        playsInline
        aria-label={title}
        onPlay={() => setStarted(true)}
      >
        <source src={recording.webm} type="video/webm" />
        {recording.mp4 && <source src={recording.mp4} type="video/mp4" />}
        <track kind="captions" src={recording.captions} srcLang="en" label={t`English`} default />
      </video>
      {!started && (
        <button type="button" className="player-start" aria-label={t`Play: ${title}`} onClick={play}>
          <PlayIcon />
        </button>
      )}
    </div>
  );
}
