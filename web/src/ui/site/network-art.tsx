import './network.scss';

const CENTRE = 280;

interface Ring {
  radius: number;
  nodes: number;
  size: number;
  turn: number;
}

const rings: Ring[] = [
  { radius: 112, nodes: 4, size: 25, turn: 0.5 },
  { radius: 184, nodes: 6, size: 22, turn: 0.1 },
  { radius: 252, nodes: 9, size: 18, turn: 0.35 },
];

/** Rounded, so that server and browser render the same digits. */
function at(radius: number, turn: number): { x: number; y: number } {
  const round = (value: number) => Math.round(value * 10) / 10;
  return { x: round(CENTRE + radius * Math.cos(turn)), y: round(CENTRE + radius * Math.sin(turn)) };
}

function nodesOf(ring: Ring) {
  return Array.from({ length: ring.nodes }, (_, index) => ({
    id: index,
    gold: (index + ring.nodes) % 4 === 0,
    ...at(ring.radius, ring.turn + (index * 2 * Math.PI) / ring.nodes),
  }));
}

/** The brand surrounded by its franchises; decorative. */
export function NetworkArt() {
  const near = rings[0] ? nodesOf(rings[0]) : [];
  return (
    <svg className="network" viewBox="0 0 560 560" aria-hidden="true" focusable="false">
      <defs>
        <radialGradient id="network-glow">
          <stop className="glow-in" offset="0" />
          <stop className="glow-out" offset="1" />
        </radialGradient>
        {/* A shop, drawn around the origin in a box of 24. */}
        <g id="network-shop" fill="none" strokeWidth="1.7" strokeLinejoin="round" strokeLinecap="round">
          <path d="M-8-2.5-6.4-8H6.4L8-2.5" />
          <path d="M-8-2.5c0 3.4 5.3 3.4 5.3 0 0 3.4 5.4 3.4 5.4 0 0 3.4 5.3 3.4 5.3 0" />
          <path d="M-6.3 1.2V8H6.3V1.2M-1.8 8V3.6h3.6V8" />
        </g>
      </defs>
      <circle cx={CENTRE} cy={CENTRE} r="280" fill="url(#network-glow)" />
      {rings.map((ring) => (
        <circle key={ring.radius} className="orbit-line" cx={CENTRE} cy={CENTRE} r={ring.radius} fill="none" />
      ))}
      {near.map(({ id, x, y }) => (
        <path key={id} className="spoke" d={`M${CENTRE} ${CENTRE}L${x} ${y}`} />
      ))}
      {rings.map((ring) =>
        nodesOf(ring).map(({ id, gold, x, y }) => (
          <g
            key={`${ring.radius}-${id}`}
            className={`node ${gold ? 'node-gold' : ''}`}
            transform={`translate(${x} ${y})`}
          >
            <circle r={ring.size} />
            <use className="shop" href="#network-shop" transform={`scale(${ring.size / 17})`} />
          </g>
        )),
      )}
      <g className="hub" transform={`translate(${CENTRE} ${CENTRE})`}>
        <rect className="hub-plate" x="-58" y="-58" width="116" height="116" rx="30" />
        <g transform="translate(-41.6 -41.6) scale(2.6)">
          <path
            className="hub-ring"
            d="M27.6 10.4A13 13 0 1 0 29 16"
            fill="none"
            strokeWidth="3"
            strokeLinecap="round"
          />
          <circle className="hub-dot" cx="24.6" cy="6.2" r="3" />
          <path
            className="hub-letter"
            d="M12 9.5h9.2a1.5 1.5 0 0 1 0 3H14.6v3h5.2a1.5 1.5 0 0 1 0 3h-5.2v4.2a1.5 1.5 0 0 1-3 0V10a.5.5 0 0 1 .4-.5Z"
          />
        </g>
      </g>
    </svg>
  );
}
