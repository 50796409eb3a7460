import { useNavigate } from 'react-router';
import { ButtonLink } from '@/components/button';
import { usePendingCode } from '../state';
import { AuthFrame } from './auth-frame';
import { SignUpCode } from './sign-up-code';

/** The code step as a page of its own, for whoever comes back to a sign-up that waits for its code. */
export function OtpPage() {
  const [pending, setPending] = usePendingCode();
  const navigate = useNavigate();
  if (!pending || pending.purpose === 'password') {
    return (
      <AuthFrame
        title="Verify your mobile number"
        intro="No sign-up is waiting for a code here. Codes are valid for 10 minutes."
      >
        <ButtonLink to="/sign-up" block>
          Go to sign-up
        </ButtonLink>
      </AuthFrame>
    );
  }
  const handleChange = () => {
    setPending({ ...pending, putAside: true });
    void navigate(pending.purpose === 'free-trial' ? '/start-free-trial' : '/sign-up');
  };
  return (
    <AuthFrame title="Verify your mobile number">
      <SignUpCode pending={pending} onChange={handleChange} />
    </AuthFrame>
  );
}
