import CollapseIcon from 'bootstrap-icons/icons/layout-sidebar.svg?component';
import MenuIcon from 'bootstrap-icons/icons/list.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import BootstrapModal from 'react-bootstrap/Modal';
import { Link, NavLink } from 'react-router';
import { workQuery } from '../api/watch';
import { isAt, openWork, type Desk } from './desks';

const KEY = 'franchise360-console-rail';
const ROOMY = '(width >= 1200px)';

function stored(): boolean | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? undefined : kept === 'wide';
  } catch {
    return undefined;
  }
}

/** Whether the rail shows words, as chosen on this device or as the screen has room, and its switch. */
export function useRail(): [wide: boolean, toggle: () => void] {
  const [chosen, setChosen] = useState(stored);
  const [roomy, setRoomy] = useState(() => matchMedia(ROOMY).matches);
  useEffect(() => {
    const query = matchMedia(ROOMY);
    const follow = () => setRoomy(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const wide = chosen ?? roomy;
  const toggle = () => {
    setChosen(!wide);
    try {
      localStorage.setItem(KEY, wide ? 'narrow' : 'wide');
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  };
  return [wide, toggle];
}

/** The open work, refreshed slowly: the home page refreshes the same data faster. */
function useOpenWork() {
  const work = useQuery({ ...workQuery, refetchInterval: 60_000 });
  return work.data?.groups ?? [];
}

function Entries({ desks, pathname, words }: { desks: Desk[]; pathname: string; words: boolean }) {
  const groups = useOpenWork();
  return (
    <ul>
      {desks.map((desk) => {
        const { label, icon: Icon, places } = desk;
        const here = places.some((place) => isAt(pathname, place));
        const count = openWork(desk, groups);
        return (
          <li key={label}>
            <Link
              to={places[0]?.to ?? '/support'}
              className={here ? 'rail-entry rail-here' : 'rail-entry'}
              aria-current={here ? 'true' : undefined}
              title={words ? undefined : label}
            >
              <Icon />
              <span className={words ? 'rail-word' : 'visually-hidden'}>{label}</span>
              {count > 0 && (
                <span className={words ? 'rail-count' : 'rail-count rail-dot'}>
                  <span aria-hidden={!words}>{words || count < 100 ? count.toLocaleString('en-IN') : '99+'}</span>
                  <span className="visually-hidden"> {words ? 'open' : `${count.toLocaleString('en-IN')} open`}</span>
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

export interface RailProps {
  desks: Desk[];
  pathname: string;
  wide: boolean;
  onToggle: () => void;
}

/** The desks at the left edge: icons, with words if there is room. */
export function Rail({ desks, pathname, wide, onToggle }: RailProps) {
  return (
    <aside aria-label="Desks" className={wide ? 'console-rail rail-wide' : 'console-rail'}>
      <NavLink to="/support" end className="console-name" aria-label="360 Console, home">
        <span aria-hidden="true">{wide ? '360 Console' : '360'}</span>
      </NavLink>
      <nav aria-label="Console">
        <Entries desks={desks} pathname={pathname} words={wide} />
      </nav>
      <button type="button" className="rail-entry rail-toggle" aria-pressed={!wide} onClick={onToggle}>
        <CollapseIcon />
        <span className={wide ? 'rail-word' : 'visually-hidden'}>Collapse the rail</span>
      </button>
    </aside>
  );
}

/** The desks on a phone: a button opens them as a drawer, which closes on a choice. */
export function Drawer({ desks, pathname }: Pick<RailProps, 'desks' | 'pathname'>) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [pathname]);
  return (
    <>
      <button
        type="button"
        className="btn btn-icon console-menu"
        aria-haspopup="dialog"
        aria-label="Menu"
        onClick={() => setOpen(true)}
      >
        <MenuIcon />
      </button>
      <BootstrapModal
        show={open}
        onHide={() => setOpen(false)}
        animation={false}
        dialogClassName="console-drawer"
        aria-label="Console"
      >
        {/* A link to the page that is open changes no address, and closes the drawer too. */}
        {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div onClick={(event) => event.target instanceof Element && event.target.closest('a') && setOpen(false)}>
          <nav aria-label="Console">
            <Entries desks={desks} pathname={pathname} words />
          </nav>
        </div>
      </BootstrapModal>
    </>
  );
}

/** The pages of the current desk, if it has several. */
export function DeskPages({ desks, pathname }: Pick<RailProps, 'desks' | 'pathname'>) {
  const desk = desks.find(({ places }) => places.some((place) => isAt(pathname, place)));
  if (!desk || desk.places.length < 2) return null;
  return (
    <nav className="desk-pages" aria-label={desk.label}>
      {desk.places.map((place) => (
        <Link key={place.to} to={place.to} aria-current={isAt(pathname, place) ? 'page' : undefined}>
          {place.label}
        </Link>
      ))}
    </nav>
  );
}
