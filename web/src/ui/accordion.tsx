import ChevronIcon from 'bootstrap-icons/icons/chevron-down.svg?component';
import { useId, useState, type ReactNode } from 'react';

interface AccordionItem {
  title: string;
  content: ReactNode;
}

export interface AccordionProps {
  items: readonly AccordionItem[];
  /** The heading level of the items on the page. */
  level?: 3 | 4;
}

/** Questions that expand to their answers: opening one closes the others, and a second click closes it. */
export function Accordion({ items, level = 3 }: AccordionProps) {
  const [open, setOpen] = useState(-1);
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <div className="accordion-group">
      {items.map((item, index) => {
        const shown = index === open;
        return (
          <div key={item.title} className="accordion-entry">
            <Heading>
              <button
                type="button"
                id={`${id}-${index}`}
                aria-expanded={shown}
                aria-controls={`${id}-${index}-panel`}
                onClick={() => setOpen(shown ? -1 : index)}
              >
                {item.title}
                <ChevronIcon className="chevron" />
              </button>
            </Heading>
            <div
              id={`${id}-${index}-panel`}
              className="accordion-answer"
              role="region"
              aria-labelledby={`${id}-${index}`}
              hidden={!shown}
            >
              {item.content}
            </div>
          </div>
        );
      })}
    </div>
  );
}
