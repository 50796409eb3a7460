import { CopyButton } from '@/ui/copy-button';
import { Modal } from '@/ui/modal';
import { Notice } from '@/ui/notice';

export interface ConnectedSecretProps {
  what: string;
  secret: string;
  onClose: () => void;
}

/** Shows a secret or key the only time that it is shown. */
export function ConnectedSecret({ what, secret, onClose }: ConnectedSecretProps) {
  return (
    <Modal open title={`Copy the ${what} now`} onClose={onClose} closeOnBackdrop={false}>
      <Notice tone="warning">It is not shown again. Keep it where the connected system keeps its secrets.</Notice>
      <p className="connected-secret">
        <code>{secret}</code> <CopyButton value={secret} what={`Copy the ${what}`} />
      </p>
    </Modal>
  );
}
