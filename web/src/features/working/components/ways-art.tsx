import { LogoMark } from '@/ui/logo';

const places = [64, 180, 296];

/** A shop, drawn around the origin. */
function Shop() {
  return (
    <g className="ways-shop">
      <path d="M-20-6-16-20H16L20-6" />
      <path d="M-20-6c0 9 13.3 9 13.3 0 0 9 13.4 9 13.4 0 0 9 13.3 9 13.3 0" />
      <path d="M-15.5 3V20H15.5V3M-5 20V9H5V20" />
    </g>
  );
}

/** A brand on one side, the platform between, the places on the other; decorative. */
export function WaysArt() {
  return (
    <svg className="ways-art" viewBox="0 0 560 360" aria-hidden="true" focusable="false">
      <path className="ways-line" d="M120 180H236" />
      {places.map((y) => (
        <path key={y} className="ways-line" d={`M324 180C388 180 384 ${y} 440 ${y}`} />
      ))}
      <g transform="translate(70 180)">
        <rect className="ways-plate ways-plate-gold" x="-50" y="-50" width="100" height="100" rx="12" />
        <path
          className="ways-seal"
          d="M0-26 7-11.5 23-9.5 11.5 1.700 14.300 17.5 0 10-14.300 17.5-11.5 1.700-23-9.5-7-11.5Z"
        />
      </g>
      <g transform="translate(280 180)">
        <rect className="ways-hub" x="-58" y="-58" width="116" height="116" rx="12" />
        <svg x="-42" y="-42" width="84" height="84" className="ways-mark">
          <LogoMark />
        </svg>
      </g>
      {places.map((y) => (
        <g key={y} transform={`translate(484 ${y})`}>
          <rect className="ways-plate" x="-44" y="-44" width="88" height="88" rx="12" />
          <Shop />
        </g>
      ))}
    </svg>
  );
}
