import type { ReactNode } from 'react';

export type SketchKind = 'cards' | 'table' | 'chat' | 'chart' | 'form' | 'help' | 'people';

const rows = [0, 1, 2, 3, 4];

function Cards() {
  return (
    <>
      {[0, 1, 2].map((index) => (
        <g key={index} transform={`translate(${index * 150} 0)`}>
          <rect className="sk-card" width="134" height="150" rx="10" />
          <rect className={index === 1 ? 'sk-gold' : 'sk-soft'} x="16" y="16" width="102" height="62" rx="6" />
          <rect className="sk-ink" x="16" y="94" width="74" height="9" rx="4.5" />
          <rect className="sk-line" x="16" y="112" width="96" height="7" rx="3.5" />
          <rect className="sk-line" x="16" y="126" width="52" height="7" rx="3.5" />
        </g>
      ))}
      <rect className="sk-card" y="168" width="434" height="88" rx="10" />
      <rect className="sk-ink" x="18" y="186" width="120" height="9" rx="4.5" />
      <rect className="sk-line" x="18" y="208" width="260" height="7" rx="3.5" />
      <rect className="sk-line" x="18" y="224" width="190" height="7" rx="3.5" />
      <rect className="sk-blue" x="336" y="198" width="80" height="28" rx="8" />
    </>
  );
}

function Table() {
  return (
    <>
      <rect className="sk-card" width="434" height="256" rx="10" />
      <rect className="sk-soft" width="434" height="36" rx="10" />
      {rows.map((row) => (
        <g key={row} transform={`translate(0 ${54 + row * 40})`}>
          <circle className={row === 1 ? 'sk-gold' : 'sk-soft'} cx="28" cy="7" r="11" />
          <rect className="sk-ink" x="52" y="3" width={90 + ((row * 23) % 40)} height="8" rx="4" />
          <rect className="sk-line" x="222" y="3" width="72" height="8" rx="4" />
          <rect className={row === 3 ? 'sk-gold' : 'sk-blue'} x="352" y="-1" width="62" height="16" rx="8" />
        </g>
      ))}
    </>
  );
}

function Chat() {
  return (
    <>
      <rect className="sk-card" width="150" height="256" rx="10" />
      {rows.map((row) => (
        <g key={row} transform={`translate(14 ${18 + row * 46})`}>
          <circle className={row === 0 ? 'sk-gold' : 'sk-soft'} cx="12" cy="12" r="12" />
          <rect className="sk-ink" x="34" y="4" width="62" height="7" rx="3.5" />
          <rect className="sk-line" x="34" y="16" width="86" height="6" rx="3" />
        </g>
      ))}
      <rect className="sk-card" x="166" width="268" height="256" rx="10" />
      <rect className="sk-soft" x="184" y="22" width="150" height="44" rx="12" />
      <rect className="sk-blue" x="266" y="82" width="150" height="44" rx="12" />
      <rect className="sk-soft" x="184" y="142" width="176" height="44" rx="12" />
      <rect className="sk-field" x="184" y="212" width="232" height="28" rx="14" />
    </>
  );
}

function Chart() {
  const bars = [64, 92, 78, 120, 104, 142, 131, 168];
  return (
    <>
      {[0, 1, 2].map((index) => (
        <g key={index} transform={`translate(${index * 150} 0)`}>
          <rect className="sk-card" width="134" height="60" rx="10" />
          <rect className="sk-line" x="14" y="14" width="56" height="7" rx="3.5" />
          <rect className={index === 2 ? 'sk-gold' : 'sk-ink'} x="14" y="32" width="82" height="12" rx="6" />
        </g>
      ))}
      <rect className="sk-card" y="76" width="434" height="180" rx="10" />
      {bars.map((height, index) => (
        <rect
          key={height}
          className={index === bars.length - 1 ? 'sk-gold' : 'sk-blue'}
          x={26 + index * 50}
          y={244 - height * 0.88}
          width="28"
          height={height * 0.88}
          rx="5"
        />
      ))}
    </>
  );
}

function Form() {
  return (
    <>
      <rect className="sk-card" x="60" width="314" height="256" rx="10" />
      <rect className="sk-ink" x="86" y="24" width="130" height="12" rx="6" />
      {[0, 1, 2].map((index) => (
        <g key={index} transform={`translate(86 ${54 + index * 50})`}>
          <rect className="sk-line" width="70" height="7" rx="3.5" />
          <rect className="sk-field" y="13" width="262" height="26" rx="6" />
        </g>
      ))}
      <rect className="sk-blue" x="86" y="210" width="262" height="28" rx="8" />
    </>
  );
}

function Help() {
  return (
    <>
      <rect className="sk-field" x="60" width="314" height="36" rx="18" />
      <circle className="sk-gold" cx="82" cy="18" r="7" />
      {[0, 1, 2, 3].map((index) => (
        <g key={index} transform={`translate(${(index % 2) * 225} ${56 + Math.floor(index / 2) * 104})`}>
          <rect className="sk-card" width="209" height="92" rx="10" />
          <circle className="sk-soft" cx="32" cy="32" r="14" />
          <rect className="sk-ink" x="58" y="24" width="92" height="8" rx="4" />
          <rect className="sk-line" x="58" y="42" width="126" height="7" rx="3.5" />
          <rect className="sk-line" x="58" y="56" width="84" height="7" rx="3.5" />
        </g>
      ))}
    </>
  );
}

function People() {
  return (
    <>
      {[0, 1, 2, 3, 4, 5].map((index) => (
        <g key={index} transform={`translate(${(index % 3) * 150} ${Math.floor(index / 3) * 134})`}>
          <rect className="sk-card" width="134" height="122" rx="10" />
          <circle className={index === 4 ? 'sk-gold' : 'sk-soft'} cx="67" cy="40" r="20" />
          <rect className="sk-ink" x="32" y="72" width="70" height="8" rx="4" />
          <rect className="sk-line" x="42" y="90" width="50" height="7" rx="3.5" />
        </g>
      ))}
    </>
  );
}

const bodies: Record<SketchKind, () => ReactNode> = {
  cards: Cards,
  table: Table,
  chat: Chat,
  chart: Chart,
  form: Form,
  help: Help,
  people: People,
};

/** A drawing of a screen without a screenshot: abstract shapes, so that visitors do not mistake it for the product. */
export function ScreenSketch({ kind, label }: { kind: SketchKind; label: string }) {
  const Body = bodies[kind];
  return (
    <svg className="sketch" viewBox="0 0 640 400" role="img" aria-label={label}>
      <rect className="sk-page" width="640" height="400" />
      <rect className="sk-side" width="132" height="400" />
      <circle className="sk-gold" cx="34" cy="36" r="10" />
      <rect className="sk-ink" x="54" y="31" width="54" height="10" rx="5" />
      {rows.map((row) => (
        <rect
          key={row}
          className={row === 1 ? 'sk-blue' : 'sk-line'}
          x="24"
          y={80 + row * 32}
          width={row === 1 ? 84 : 60 + ((row * 13) % 24)}
          height="10"
          rx="5"
        />
      ))}
      <rect className="sk-ink" x="164" y="32" width="130" height="14" rx="7" />
      <rect className="sk-line" x="164" y="58" width="210" height="8" rx="4" />
      <g transform="translate(164 96)">
        <Body />
      </g>
    </svg>
  );
}
