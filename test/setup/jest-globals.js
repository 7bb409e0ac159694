// What a spec imports from @jest/globals, from the packages that Jest itself uses.
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export const expect = jestExpect;

const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
const mocker = new ModuleMocker(globalThis);

/** Timers and spies. Everything that a spec calls is a method of one of the two. */
export const jest = new Proxy(
  {},
  {
    get(_target, name) {
      const owner = name in timers ? timers : mocker;
      return owner[name].bind(owner);
    },
  },
);
