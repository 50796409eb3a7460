import { useEffect, useState, type ReactNode } from 'react';
import { toast } from '@/lib/toast';
import { Accordion } from '@/ui/accordion';
import { Breadcrumb } from '@/ui/breadcrumb';
import { Button } from '@/ui/button';
import { Carousel } from '@/ui/carousel';
import { CopyButton } from '@/ui/copy-button';
import { DisclosureMenu } from '@/ui/disclosure-menu';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Instant } from '@/ui/instant';
import { ListTable, type Column } from '@/ui/list/list-table';
import { Logo } from '@/ui/logo';
import { Modal } from '@/ui/modal';
import { Badge, Card, Notice, StatusText } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { Pagination } from '@/ui/pagination';
import { EmptyState, ErrorState, Loading, Skeleton } from '@/ui/states';
import { Steps } from '@/ui/steps';
import { Tabs } from '@/ui/tabs';
import { ThemeSwitch } from '@/ui/theme-switch';
import { Toasts } from '@/ui/toasts';
import { GalleryFields } from './gallery-fields';
import { GalleryList } from './gallery-list';
import { GallerySite } from './gallery-site';
import '@/styles/app.scss';
import './gallery.scss';

const tones = ['info', 'success', 'warning', 'danger'] as const;
const variants = ['primary', 'outline', 'quiet', 'danger'] as const;

interface Row {
  name: string;
  paise: number;
}
const columns: Column<Row>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'Amount', numeric: true, cell: ({ paise }) => paise },
  { label: 'Actions', actions: true, cell: () => <Button size="sm">Open</Button> },
];

function Shelf({ title, wide, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={`gallery-shelf ${wide ? 'gallery-wide' : ''}`}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

function Buttons() {
  return (
    <Shelf title="Buttons">
      {variants.map((variant) => (
        <p key={variant} className="gallery-row">
          <Button variant={variant}>{variant}</Button>
          <Button variant={variant} size="sm">
            small
          </Button>
          <Button variant={variant} pending>
            pending
          </Button>
        </p>
      ))}
      <CopyButton value="FP261121AAAA" what="the number" />
      <DisclosureMenu label="Menu">
        <a href="#menu">Entry</a>
      </DisclosureMenu>
      <ThemeSwitch />
    </Shelf>
  );
}

function States() {
  return (
    <Shelf title="States">
      {tones.map((tone) => (
        <Notice key={tone} tone={tone}>
          A notice: {tone}. <StatusText tone={tone}>Status</StatusText>
        </Notice>
      ))}
      <p className="gallery-row">
        {(['primary', 'gold', 'success', 'warning', 'danger'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </p>
      <Card raised>A raised card.</Card>
      <EmptyState title="Nothing here">Why it is empty.</EmptyState>
      <ErrorState error={new Error('offline')} what="the list" onRetry={() => {}} />
      <Loading what="the list">
        <Skeleton lines={2} />
      </Loading>
    </Shelf>
  );
}

function Lists() {
  const items = ['One', 'Two'].map((title) => ({ title, content: `${title}.` }));
  const shown = items.map(({ title, content }) => ({ id: title, label: title, content })) as [never, never];
  return (
    <Shelf title="Lists and ways">
      <Logo />
      <Breadcrumb items={[{ label: 'Home', to: '/' }, { label: 'Here' }]} />
      <Steps steps={['Mobile', 'Code', 'Plan']} now="Code" />
      <ListTable caption="A list" columns={columns} rows={[{ name: 'Asha', paise: 100 }]} rowKey={({ name }) => name} />
      <Pagination label="Pages" current={2} last={5} />
      <Tabs label="Tabs" items={shown} />
      <Accordion items={items} />
      <Carousel label="Carousel" unit="Slide" slides={shown} />
      <Instant at="2026-11-21T05:30:00Z" />
    </Shelf>
  );
}

/** The gallery of ui/ for developers. Forced colours are a setting of the browser: "Emulate CSS media feature forced-colors". */
export function GalleryPage() {
  const [large, setLarge] = useState(false);
  const [dark, setDark] = useState(false);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    document.documentElement.classList.toggle('gallery-large', large);
    return () => document.documentElement.classList.remove('gallery-large');
  }, [large]);
  return (
    <main data-bs-theme={dark ? 'dark' : 'light'} className="gallery">
      <PageTitle>Components</PageTitle>
      <div className="gallery-row">
        <CheckboxField box="" label="Dark" checked={dark} onChange={setDark} />
        <CheckboxField box="" label="200 % text" checked={large} onChange={setLarge} />
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Button onClick={() => toast.success('A message of success.')}>Message</Button>
        <Button onClick={() => toast.error('A message of failure.')}>Failure</Button>
      </div>
      <Buttons />
      <States />
      <Lists />
      <Shelf title="Fields">
        <GalleryFields />
      </Shelf>
      <Shelf title="Fields with errors">
        <GalleryFields failed />
      </Shelf>
      <Shelf title="Page of a list" wide>
        <GalleryList />
      </Shelf>
      <Shelf title="Site" wide>
        <GallerySite />
      </Shelf>
      <Modal open={open} title="Dialog" onClose={() => setOpen(false)}>
        The content of a dialog.
      </Modal>
      <Toasts />
    </main>
  );
}
