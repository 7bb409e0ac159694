import { Double } from 'bson';
import { checkFields, type Fields } from '../../src/commands/arguments.js';
import { type FailPoints, type Fault } from '../../src/commands/failpoints.js';
import { fail } from '../../src/errors.js';
import { toNumber } from '../../src/values/numbers.js';
import { type Doc, doc, isDoc, isNumber, type Maybe, noFields, shown } from '../../src/values/types.js';

const known: Fields = {
  failCommands: 'array',
  errorCode: 'number',
  closeConnection: 'boolean',
  blockConnection: 'boolean',
  blockTimeMS: 'number',
  writeConcernError: 'object',
  errorLabels: 'array',
  appName: 'string',
  failInternalCommands: 'boolean',
  namespace: 'string',
};
const any = new Double(Number.POSITIVE_INFINITY);
const inactive = { commands: [], appName: undefined, skip: 0, times: 0, fault: undefined, namespace: undefined };

/** `failCommand` and `onPrimaryTransactionalWrite`, for tests of what happens when the database fails. */
export class CommandFailPoints implements FailPoints {
  private active: {
    commands: readonly unknown[];
    appName: Maybe;
    namespace: Maybe;
    skip: number;
    times: number;
    fault: Fault | undefined;
  } = inactive;

  /** Sets or clears it as `configureFailPoint` says. */
  configure(name: Maybe, mode: Maybe, data: Maybe): Doc {
    if (name === 'onPrimaryTransactionalWrite') return this.configureWrites(mode, data);
    if (name !== 'failCommand') fail(51, `Fail point ${shown(name)} not found`);
    const times = isDoc(mode) ? mode.get('times') : undefined;
    const skip = isDoc(mode) ? mode.get('skip') : undefined;
    if (mode !== 'off' && mode !== 'alwaysOn' && !isNumber(times) && !isNumber(skip))
      fail(2, 'unknown fail point mode');
    this.active = inactive;
    if (mode === 'off') return doc({ count: 0 });
    const settings = isDoc(data) ? data : noFields();
    checkFields(settings, known, 'data');
    const [commands, code, labels, block, error] = [
      'failCommands',
      'errorCode',
      'errorLabels',
      'blockTimeMS',
      'writeConcernError',
    ].map((key): Maybe => settings.get(key));
    this.active = {
      commands: Array.isArray(commands) ? commands : [],
      appName: settings.get('appName'),
      namespace: settings.get('namespace'),
      skip: isNumber(skip) ? toNumber(skip) : 0,
      times: isNumber(times) ? toNumber(times) : Number.POSITIVE_INFINITY,
      fault: {
        errorCode: isNumber(code) ? toNumber(code) : undefined,
        closeConnection: settings.get('closeConnection') === true,
        blockMs: settings.get('blockConnection') === true && isNumber(block) ? toNumber(block) : 0,
        writeConcernError: isDoc(error) ? error : undefined,
        errorLabels: Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : undefined,
      },
    };
    return doc({ count: 0 });
  }

  private writes: { times: number; code: number | undefined; close: boolean } = {
    times: 0,
    code: undefined,
    close: false,
  };

  /** Sets or clears `onPrimaryTransactionalWrite`, the older fail point of retryable writes. */
  private configureWrites(mode: Maybe, data: Maybe): Doc {
    const [times, code, close] = [
      isDoc(mode) ? mode.get('times') : mode === 'alwaysOn' ? any : 0,
      isDoc(data) ? data.get('failBeforeCommitExceptionCode') : 0,
      isDoc(data) ? data.get('closeConnection') : true,
    ];
    this.writes = {
      times: isNumber(times) ? toNumber(times) : 0,
      code: isNumber(code) ? toNumber(code) : undefined,
      close: close !== false,
    };
    return doc({ count: 0 });
  }

  /** What is to happen to this retryable write: an error before it is committed, and whether the connection is closed then or after it. */
  hitWrite(): { readonly code: number | undefined; readonly close: boolean } | undefined {
    return this.writes.times > 0 && this.writes.times-- > 0 ? this.writes : undefined;
  }

  /** What is to happen to this command; counts it. */
  hit(command: string, appName: string, namespace: string | undefined): Fault | undefined {
    const { active } = this;
    if (!active.fault || !active.commands.includes(command)) return undefined;
    if (active.appName !== undefined && active.appName !== appName) return undefined;
    if (active.namespace !== undefined && active.namespace !== namespace) return undefined;
    if (active.skip > 0) {
      active.skip--;
      return undefined;
    }
    return active.times-- > 0 ? active.fault : undefined;
  }
}
