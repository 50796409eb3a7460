import CheckIcon from 'bootstrap-icons/icons/check2.svg?component';
import './site.scss';

/** Short points, each with a tick mark. */
export function TickList({ items }: { items: readonly string[] }) {
  return (
    <ul className="tick-list">
      {items.map((item) => (
        <li key={item}>
          <CheckIcon />
          {item}
        </li>
      ))}
    </ul>
  );
}
