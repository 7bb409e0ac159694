import { TestEnvironment } from 'jest-environment-node';

/** The idle application processes of this Jest worker. Spec files have separate globals, so the list is outside of them. */
const idleAppProcesses = [];

/**
 * Lets one spec file use the application process of an earlier one: loading the modules of the service takes longer than
 * starting it. See `test/support/app-processes.ts`.
 */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.idleAppProcesses = idleAppProcesses;
  }
}
