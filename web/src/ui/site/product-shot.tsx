import './site.scss';

/** Screenshots of the running product; `node scripts/screenshots.mjs` takes them. */
const files = import.meta.glob<string>('/src/content/shots/*.webp', { eager: true, query: '?url', import: 'default' });

/** The sizes of the pictures in src/content/shots, in pixels. */
export const LARGE = { width: 1600, height: 1000 } as const;
export const SMALL = { width: 640, height: 400 } as const;
/** A phone shows a phone's screen, whose words can be read there. */
export const PHONE = { width: 720, height: 900 } as const;
const ON_PHONES = '(max-width: 575.98px)';

/** The width of a picture next to text: half of the page, or all of it on a narrow screen. */
const HALF = '(min-width: 1200px) 620px, (min-width: 992px) 50vw, 94vw';

export interface ProductShotProps {
  /** The name of the screenshot, such as "dashboard". */
  name: string;
  /** The alternative text. */
  alt: string;
  /** True for the picture that is visible when the page opens. */
  eager?: boolean;
  /** The displayed width, as in the `sizes` attribute of HTML. */
  sizes?: string;
}

type Theme = 'light' | 'dark';

/** The address of a picture in the colours of a theme; `size` is "-640" for the small one, "-phone" for a phone's screen. */
export function shotAddress(name: string, theme: Theme, size: '' | '-640' | '-phone' = ''): string | undefined {
  return files[`/src/content/shots/${name}-${theme}${size}.webp`];
}

function sources(name: string, theme: Theme): string | undefined {
  const small = shotAddress(name, theme, '-640');
  return small && `${small} ${SMALL.width}w, ${shotAddress(name, theme)} ${LARGE.width}w`;
}

function PhoneSource({ name, theme, sizes }: { name: string; theme: Theme; sizes: string }) {
  const phone = shotAddress(name, theme, '-phone');
  return phone && <source {...PHONE} media={ON_PHONES} srcSet={`${phone} ${PHONE.width}w`} sizes={sizes} />;
}

/** A screen of the product, in the colours of the page's theme. */
export function ProductShot({ name, alt, eager, sizes = HALF }: ProductShotProps) {
  const common = { ...LARGE, sizes, decoding: 'async' } as const;
  return (
    // Spans, because a button of the tutorials holds one.
    <span className="shot">
      <span className="shot-bar" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <picture className="only-light">
        <PhoneSource name={name} theme="light" sizes={sizes} />
        <img
          {...common}
          alt={alt}
          src={shotAddress(name, 'light')}
          srcSet={sources(name, 'light')}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : undefined}
        />
      </picture>
      <picture className="only-dark">
        <PhoneSource name={name} theme="dark" sizes={sizes} />
        <img {...common} alt={alt} src={shotAddress(name, 'dark')} srcSet={sources(name, 'dark')} loading="lazy" />
      </picture>
    </span>
  );
}
