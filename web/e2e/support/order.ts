import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** True for the tests that move the clock by days, which every other test of the stack would notice. */
const movesClock = ({ moduleId }: TestSpecification) => moduleId.includes('/e2e/clock/');

/** Runs the tests in the order of their names, those that move the clock by days after all others. */
export class ClockLast extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byName = (a: TestSpecification, b: TestSpecification) =>
      Number(movesClock(a)) - Number(movesClock(b)) || a.moduleId.localeCompare(b.moduleId);
    return Promise.resolve([...files].sort(byName));
  }
}
