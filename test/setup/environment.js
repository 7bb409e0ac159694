import { TestEnvironment } from 'jest-environment-node';
import { responseProblem } from './response-schemas.js';

/** The idle application processes of this Jest worker. Spec files have separate globals, so the list is outside of them. */
const idleAppProcesses = [];

/**
 * What the spec files of a Jest worker share, because to make it takes longer than to use it: application processes
 * (`test/support/app-processes.ts`), and the schemas of responses (`test/support/documented.ts`).
 */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { idleAppProcesses, responseProblem });
  }
}
