import { type Doc, type Maybe } from '../values/types.js';

/** What `failCommand` does to a command (MongoDB's server: src/mongo/util/fail_point; driver specification: unified test format). */
export interface Fault {
  readonly errorCode: number | undefined;
  readonly closeConnection: boolean;
  readonly blockMs: number;
  readonly writeConcernError: Doc | undefined;
  readonly errorLabels: readonly string[] | undefined;
}

/** What makes commands fail, for tests. A server in production has none. */
export interface FailPoints {
  /** Sets or clears a fail point as `configureFailPoint` says. */
  configure(name: Maybe, mode: Maybe, data: Maybe): Doc;
  /** What is to happen to this command; counts it. */
  hit(command: string, appName: string, namespace: string | undefined): Fault | undefined;
  /** What is to happen to this retryable write: it fails before its commit, or its connection is closed after it; counts it. */
  hitWrite(): { readonly code: number | undefined; readonly close: boolean } | undefined;
}
