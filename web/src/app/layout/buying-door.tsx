import { AccountStep } from '@/features/auth/components/account-step';
import { DoorPage } from '@/features/plan-choice/components/door-page';

/** The route from a choice to its payment, including sign-up or login. */
export function BuyingDoor() {
  return <DoorPage account={<AccountStep />} />;
}
