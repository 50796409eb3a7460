import { TransferAssign } from './transfer-assign';
import { TransferDecision } from './transfer-decision';
import { TransferOut } from './transfer-out';
import type { CreditAct } from './transfer-credit-row';

export interface TransferDialogsProps {
  act: CreditAct;
  onClose: () => void;
}

/** The dialog of what staff want to do with a transfer. */
export function TransferDialogs({ act, ...rest }: TransferDialogsProps) {
  switch (act.kind) {
    case 'assign':
      return <TransferAssign credit={act.credit} proposal={act.proposal} {...rest} />;
    case 'return':
    case 'dismissal':
    case 'release':
      return <TransferOut credit={act.credit} kind={act.kind} {...rest} />;
    default:
      return <TransferDecision credit={act.credit} use={act.use} approve={act.kind === 'approve'} {...rest} />;
  }
}
