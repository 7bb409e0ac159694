import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { restrict, shared } from '../../eslint.shared.js';

/** The folders of the store, each of which may use those before it and none after it. */
const folders = ['values', 'query', 'storage', 'planner', 'transactions', 'commands', 'protocol'];
const laterFolders = (folder) => ({
  group: [
    ...folders.slice(folders.indexOf(folder) + 1).map((later) => `../${later}/*`),
    ...(['commands', 'protocol'].includes(folder) ? [] : ['../engine.js']),
    '../server.js',
    '../housekeeping.js',
  ],
  message: `The folders of the embedded store use one another in one direction: ${folders.join(' < ')}.`,
});

export default tseslint.config(
  { ignores: ['dist/'] },
  ...shared,
  {
    files: ['src/**/*.ts'],
    rules: restrict({ group: ['../../../*'], message: 'The store knows nothing of its users.' }),
  },
  ...folders.map((folder) => ({
    files: [`src/${folder}/*.ts`],
    ignores: ['**/*.spec.ts'],
    rules: restrict(laterFolders(folder)),
  })),
  prettier,
);
