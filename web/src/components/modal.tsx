import CloseIcon from 'bootstrap-icons/icons/x-lg.svg?component';
import { useId, type ReactNode } from 'react';
import BootstrapModal from 'react-bootstrap/Modal';
import '@/styles/app.scss';

export interface ModalProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  size?: 'lg';
  /** False for a step that should not be lost by a stray click outside. */
  closeOnBackdrop?: boolean;
}

/** A labelled dialog: focus is trapped inside and returned afterwards, Esc and the close button leave it. */
export function Modal({ open, title, onClose, children, footer, size, closeOnBackdrop = true }: ModalProps) {
  const titleId = useId();
  return (
    <BootstrapModal show={open} onHide={onClose} size={size} centered backdrop={closeOnBackdrop ? true : 'static'} aria-labelledby={titleId} restoreFocus>
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="btn btn-icon" aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </button>
      </div>
      <div className="dialog-body">{children}</div>
      {footer && <div className="dialog-foot">{footer}</div>}
    </BootstrapModal>
  );
}
