import { ScreenSketch, type SketchKind } from './screen-sketch';
import './site.scss';

/** Pictures of the running product; `node scripts/screenshots.mjs` takes them. */
const files = import.meta.glob<string>('/src/content/shots/*.webp', { eager: true, query: '?url', import: 'default' });

/** The sizes in which every picture is taken, in pixels. */
const WIDTH = 1280;
const HEIGHT = 800;
const SMALL_WIDTH = 640;

/** How wide a picture beside words is: half of the page, or all of it on a narrow screen. */
const HALF = '(min-width: 1200px) 620px, (min-width: 992px) 50vw, 94vw';

export interface ProductShotProps {
  /** Name of the picture, such as "dashboard". */
  name: string;
  /** What is to be seen, for those who do not see it. */
  alt: string;
  /** Drawn where there is no such picture. */
  sketch: SketchKind;
  /** True for the picture that is in view when the page opens. */
  eager?: boolean;
  /** How wide the picture is shown, in the words of the HTML attribute. */
  sizes?: string;
}

type Theme = 'light' | 'dark';

/** The address of a picture in the colours of a theme; `size` is "-640" for the small one. */
export function shotAddress(name: string, theme: Theme, size: '' | '-640' = ''): string | undefined {
  return files[`/src/content/shots/${name}-${theme}${size}.webp`];
}

function sources(name: string, theme: Theme): string | undefined {
  const small = shotAddress(name, theme, '-640');
  return small && `${small} ${SMALL_WIDTH}w, ${shotAddress(name, theme)} ${WIDTH}w`;
}

/** True where the product's own screen is shown, false where it is a drawing. */
export function hasShot(name: string): boolean {
  return Boolean(shotAddress(name, 'light') && shotAddress(name, 'dark'));
}

/** A screen of the product, in the colours of the page's theme. */
export function ProductShot({ name, alt, sketch, eager, sizes = HALF }: ProductShotProps) {
  const light = shotAddress(name, 'light');
  const dark = shotAddress(name, 'dark');
  const common = { width: WIDTH, height: HEIGHT, sizes, decoding: 'async' } as const;
  return (
    <div className="shot">
      <div className="shot-bar" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      {light && dark ? (
        <>
          <img
            {...common}
            alt={alt}
            className="only-light"
            src={light}
            srcSet={sources(name, 'light')}
            loading={eager ? 'eager' : 'lazy'}
            fetchPriority={eager ? 'high' : undefined}
          />
          <img {...common} alt={alt} className="only-dark" src={dark} srcSet={sources(name, 'dark')} loading="lazy" />
        </>
      ) : (
        <ScreenSketch kind={sketch} label={`Drawing: ${alt}`} />
      )}
    </div>
  );
}
