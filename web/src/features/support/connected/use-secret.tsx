import { useState } from 'react';
import { toast } from '@/lib/toast';
import { ConnectedSecret } from './connected-secret';

/** Shows the secret that an act made, the only time that it is shown; says that an act without a secret is done. */
export function useSecret(what = 'secret') {
  const [secret, setSecret] = useState('');
  return {
    finish: (made: string | undefined, said = 'Done.') => (made ? setSecret(made) : toast.success(said)),
    shown: secret && <ConnectedSecret what={what} secret={secret} onClose={() => setSecret('')} />,
  };
}
