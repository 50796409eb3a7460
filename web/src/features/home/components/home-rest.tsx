import { CallToAction } from '@/ui/site/call-to-action';
import { Audiences, Challenges, UniqueFeatures } from './about-sections';
import { Lifecycle } from './lifecycle';
import { DashboardPreview, NewAddition, Stories } from './preview-sections';
import { KeyFeatures, Resources } from './start-sections';

/** The landing page below its first screen. */
export function HomeRest() {
  return (
    <>
      <Challenges />
      <UniqueFeatures />
      <Audiences />
      <Lifecycle />
      <KeyFeatures />
      <Resources />
      <DashboardPreview />
      <Stories />
      <NewAddition />
      <CallToAction />
    </>
  );
}
