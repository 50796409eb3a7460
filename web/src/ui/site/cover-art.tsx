import './site.scss';

const motifs = [
  <path key="coins" d="M96 150h48M96 132h48M96 114h48M120 62v24M106 74l14-14 14 14" />,
  <path key="paper" d="M88 60h44l24 24v80H88zM132 60v24h24M104 108h36M104 126h36M104 144h22" />,
  <path key="scale" d="M120 58v104M92 162h56M80 80h80M80 80l-16 40h32zM160 80l-16 40h32z" />,
  <path
    key="map"
    d="M120 160c-30-34-40-48-40-64a40 40 0 0 1 80 0c0 16-10 30-40 64zM120 82a14 14 0 1 0 0 28 14 14 0 0 0 0-28"
  />,
  <path key="chart" d="M74 160h92M86 148v-30M108 148v-54M130 148v-40M152 148V76" />,
  <path
    key="people"
    d="M96 96a14 14 0 1 0 0-28 14 14 0 0 0 0 28M144 96a14 14 0 1 0 0-28 14 14 0 0 0 0 28M68 152c0-20 12-34 28-34s28 14 28 34M116 126c6-6 16-8 28-8 16 0 28 14 28 34"
  />,
];

/** A drawn cover, one of six motifs in one of two colours, chosen by its number; decorative. */
export function CoverArt({ number, round }: { number: number; round?: boolean }) {
  const tone = number % 2 === 0 ? 'blue' : 'gold';
  return (
    <svg
      className={`cover cover-${tone}`}
      viewBox={round ? '30 20 180 180' : '-80 10 400 200'}
      aria-hidden="true"
      focusable="false"
    >
      <rect className="cover-ground" x="-900" y="-300" width="2040" height="840" />
      <circle className="cover-ring" cx="120" cy="110" r="86" />
      <circle className="cover-ring" cx="120" cy="110" r="116" />
      <g fill="none" stroke="currentColor" strokeWidth="6" strokeLinecap="round" strokeLinejoin="round">
        {motifs[number % motifs.length]}
      </g>
    </svg>
  );
}
