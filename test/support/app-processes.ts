import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { join } from 'node:path';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { type RawEnvironment } from '../../src/infrastructure/config/environment.js';
import { settled } from './eventually.js';

/** What the application in a process starts with. */
export interface AppProcessOptions {
  readonly env: RawEnvironment;
  readonly config: Partial<AppConfig>;
  readonly databaseUri: string;
  readonly watchCommands: boolean;
  readonly repeatHandlers: boolean;
}

/** An application in a process of its own, and the commands that `app-process.js` runs. */
export interface AppProcess {
  readonly port: number;
  /** Everything that the application wrote so far. */
  output(): string;
  readonly ask: (question: string, details?: object) => Promise<unknown>;
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
  /** Closes the application. The process stays for the next one. */
  close(details: { readonly dropDatabase: boolean }): Promise<void>;
}

/** The processes without an application. They outlive the spec file (`test/setup/environment.js`). */
const { idleAppProcesses: idle } = globalThis as unknown as { readonly idleAppProcesses: ChildProcess[] };

/** Starts an application, in a process that another spec file has left when there is one. */
export async function startAppProcess(options: AppProcessOptions): Promise<AppProcess> {
  const child = idle.pop() ?? forkProcess();
  setReferenced(child, true);
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  for (const stream of streamsOf(child)) stream.on('data', collect);
  const ask = questions(child, () => output);
  const port = (await ask('start', options)) as number;
  return {
    port,
    output: () => output,
    ask,
    kill: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await settled(exited, 'the exit of the application', () => output);
    },
    close: async ({ dropDatabase }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const lastLine = `closed ${randomUUID()}`;
      await ask('close', { dropDatabase, lastLine });
      // The next application must not get output of this one.
      while (!output.includes(lastLine)) {
        await settled(once(child.stdout as Readable, 'data'), `the line ${lastLine}`, () => output);
      }
      for (const emitter of [child, ...streamsOf(child)]) emitter.removeAllListeners();
      setReferenced(child, false);
      idle.push(child);
    },
  };
}

function forkProcess(): ChildProcess {
  return fork(join(import.meta.dirname, 'app-process.js'), {
    env: { ...debuggerVariables(), PATH: process.env['PATH'], TZ: process.env['TZ'] },
    execArgv: ['--enable-source-maps'],
    silent: true,
  });
}

/** With these, a debugger attaches to the application too. Breakpoints in src work, because the build has source maps. */
function debuggerVariables(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, VSCODE_INSPECTOR_OPTIONS } = process.env;
  return VSCODE_INSPECTOR_OPTIONS === undefined ? {} : { NODE_OPTIONS, VSCODE_INSPECTOR_OPTIONS };
}

const streamsOf = ({ stdout, stderr }: ChildProcess): Readable[] =>
  [stdout, stderr].filter((stream) => stream !== null);

/** Sets whether the process, while it lives, keeps the Jest worker alive. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const call = isReferenced ? 'ref' : 'unref';
  child[call]();
  for (const handle of [child.channel, child.stdout, child.stderr]) (handle as { ref(): void; unref(): void })[call]();
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

function questions(child: ChildProcess, output: () => string): AppProcess['ask'] {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  child.on('message', ({ id, result, error }: Reply) => {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  child.once('exit', (code) => {
    const ended = new Error(`The application ended with ${code ?? 'a signal'}:\n${output()}`);
    for (const { reject } of waiting.values()) reject(ended);
  });
  return (question, details = {}) => {
    const replied = new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      child.send({ id: last, question, details });
    });
    return settled(replied, `the reply of the application to ${question}`, output);
  };
}
