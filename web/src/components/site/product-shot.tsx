import { ScreenSketch, type SketchKind } from './screen-sketch';
import '@/styles/site.scss';

/** Pictures of the running product; `node scripts/screenshots.mjs` takes them. */
const files = import.meta.glob<string>('/src/content/shots/*.webp', { eager: true, query: '?url', import: 'default' });

/** The size in which every picture is taken, in pixels. */
const WIDTH = 1280;
const HEIGHT = 800;

export interface ProductShotProps {
  /** Name of the picture, such as "dashboard". */
  name: string;
  /** What is to be seen, for those who do not see it. */
  alt: string;
  /** Drawn where there is no such picture. */
  sketch: SketchKind;
  /** True for the picture that is in view when the page opens. */
  eager?: boolean;
}

function address(name: string, theme: 'light' | 'dark'): string | undefined {
  return files[`/src/content/shots/${name}-${theme}.webp`];
}

/** True where the product's own screen is shown, false where it is a drawing. */
export function hasShot(name: string): boolean {
  return Boolean(address(name, 'light') && address(name, 'dark'));
}

/** A screen of the product, in the colours of the page's theme. */
export function ProductShot({ name, alt, sketch, eager }: ProductShotProps) {
  const light = address(name, 'light');
  const dark = address(name, 'dark');
  const loading = eager ? 'eager' : 'lazy';
  return (
    <div className="shot">
      <div className="shot-bar" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      {light && dark ? (
        <>
          <img className="only-light" src={light} width={WIDTH} height={HEIGHT} alt={alt} loading={loading} decoding="async" />
          <img className="only-dark" src={dark} width={WIDTH} height={HEIGHT} alt={alt} loading="lazy" decoding="async" />
        </>
      ) : (
        <ScreenSketch kind={sketch} label={`Drawing: ${alt}`} />
      )}
    </div>
  );
}
