import { type CommandStages } from '../../src/catalogue/commands/command-list.types.js';

/** A product without commands in any stage. */
export const NO_COMMANDS: CommandStages = {
  commands: [],
  takeBackCommands: [],
  expiryCommands: [],
  extendCommands: [],
  upgradeCommands: [],
};
