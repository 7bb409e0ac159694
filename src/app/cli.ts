import { program } from './cli/program.js';
import { expectReadersToLeave, printProgress, ReaderGone } from './cli/output.js';
import { explain } from './cli/problems.js';

/** The command line of the operator: `npm run shop -- COMMAND`, `node dist/app/cli.js COMMAND`. */
process.setSourceMapsEnabled(true);
// Only the owner of the process can read the files that it makes, as in serve.ts.
process.umask(0o077);
expectReadersToLeave();
try {
  await program().parseAsync();
} catch (error) {
  if (error instanceof ReaderGone) process.exit(0);
  printProgress(explain(error));
  // An application that could not start keeps its connection to the database open.
  process.exit(1);
}
