import { t } from '@lingui/core/macro';
import CloseIcon from 'bootstrap-icons/icons/x-lg.svg?component';
import { useDeferredValue, useId, type ReactNode } from 'react';
import BootstrapModal from 'react-bootstrap/Modal';
import { prefersReducedMotion } from '@/lib/reduced-motion';
import '@/styles/app.scss';

export interface ModalProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  size?: 'lg' | 'xl';
  /** False for a step that an accidental click outside must not close. */
  closeOnBackdrop?: boolean;
}

/** A labelled dialog: it traps focus and restores it afterwards; Esc and the close button close it. */
export function Modal({ open, title, onClose, children, footer, size, closeOnBackdrop = true }: ModalProps) {
  const titleId = useId();
  // The end of a very short transition is missed if a button inside ends its own at the same time; the dialog
  // would then remain, invisible, and block the page.
  const animated = !prefersReducedMotion();
  // A dialog takes up to 0.1 s to render on a slow phone, so the pressed button is painted first.
  const shown = useDeferredValue(open, false);
  return (
    <BootstrapModal
      show={open && shown}
      onHide={onClose}
      size={size}
      centered
      backdrop={closeOnBackdrop ? true : 'static'}
      animation={animated}
      aria-labelledby={titleId}
      restoreFocus
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="btn btn-icon" aria-label={t`Close`} onClick={onClose}>
          <CloseIcon />
        </button>
      </div>
      <div className="dialog-body">{children}</div>
      {footer && <div className="dialog-foot">{footer}</div>}
    </BootstrapModal>
  );
}
