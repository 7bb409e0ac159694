import { type LoggerService } from '@nestjs/common';
import { pino, type Logger, type LoggerOptions } from 'pino';
import { type AppConfig } from '../config/app-config.js';
import { logFields } from './log-context.js';

/** What is kept of lines that could not be written. Later ones are dropped until there is space. */
const MOST_UNWRITTEN_BYTES = 1_048_576;

/**
 * Structured logs: one JSON object per line, with the request or the job that it belongs to, and the ids of what it is about.
 * @param stream the command line writes them to standard error: its standard output is the result
 */
export function createLogger(level: AppConfig['logLevel'], stream: 'stdout' | 'stderr' = 'stdout'): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // pino adds the fields of the line to this object.
    mixin: logFields,
  };
  const destination = pino.destination({
    dest: stream === 'stdout' ? 1 : 2,
    sync: true,
    maxLength: MOST_UNWRITTEN_BYTES,
  });
  // A log that cannot be written, such as a file on a full disk, must not end the service. The next line retries, also one that is
  // dropped.
  destination.on('error', () => undefined);
  destination.on('drop', () => destination.write(''));
  // pino calls this after a fatal line. It would wait until there is space, and a synchronous destination has written everything it can.
  destination.flushSync = () => undefined;
  return pino(options, destination);
}

/** The parts of an error that may be logged: its class, its message and its stack; never attached data such as documents. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  return {
    error: error.name,
    reason: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** Contexts that only describe how the framework builds the application. Operators do not need their lines. */
const FRAMEWORK = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/** The last argument. */
function contextOf(rest: unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}

/** Nest's logger interface on pino. `new Logger(Context.name)` in the code logs through it. */
export class AppLogger implements LoggerService {
  constructor(private readonly pino: Logger) {}

  private write(
    level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = contextOf(rest);
    const text = message instanceof Error ? message.message : message;
    const details = message instanceof Error ? describeError(message) : rest.find((part) => typeof part === 'object');
    this.pino[level]({ context, ...(details as object | undefined) }, String(text));
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(FRAMEWORK.has(contextOf(rest) ?? '') ? 'debug' : 'info', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }
}
