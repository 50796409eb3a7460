import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** True for tests that move the clock by days, which would affect every other test on the stack. */
const movesClock = ({ moduleId }: TestSpecification) => moduleId.includes('/e2e/clock/');

/** Runs the tests in the order of their names, with tests that advance the clock by days last. */
export class ClockLast extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byName = (a: TestSpecification, b: TestSpecification) =>
      Number(movesClock(a)) - Number(movesClock(b)) || a.moduleId.localeCompare(b.moduleId);
    return Promise.resolve([...files].sort(byName));
  }
}
