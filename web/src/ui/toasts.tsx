import { t } from '@lingui/core/macro';
import CheckIcon from 'bootstrap-icons/icons/check-circle-fill.svg?component';
import ErrorIcon from 'bootstrap-icons/icons/exclamation-circle-fill.svg?component';
import WarnIcon from 'bootstrap-icons/icons/exclamation-triangle-fill.svg?component';
import InfoIcon from 'bootstrap-icons/icons/info-circle-fill.svg?component';
import CloseIcon from 'bootstrap-icons/icons/x-lg.svg?component';
import { useAtomValue } from 'jotai';
import { dismissToast, toastsAtom, type Toast } from '@/lib/toast';

const icons = { success: CheckIcon, error: ErrorIcon, warn: WarnIcon, info: InfoIcon };
const words = { success: t`Success`, error: t`Error`, warn: t`Warning`, info: t`Note` };

function ToastItem({ toast }: { toast: Toast }) {
  const Icon = icons[toast.kind];
  return (
    <div className={`toast-item toast-${toast.kind} ${toast.leaving ? 'toast-leaving' : ''}`}>
      <Icon />
      <span>
        <span className="visually-hidden">{words[toast.kind]}: </span>
        {toast.message}
      </span>
      <button type="button" aria-label={t`Dismiss`} onClick={() => dismissToast(toast.id)}>
        <CloseIcon />
      </button>
    </div>
  );
}

/** The stack of short messages; announced politely, because anything urgent is also shown on the screen. */
export function Toasts() {
  const toasts = useAtomValue(toastsAtom);
  return (
    <div className="toast-stack" role="status" aria-live="polite" aria-label={t`Messages`}>
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </div>
  );
}
