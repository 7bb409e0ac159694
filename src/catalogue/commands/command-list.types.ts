/** The largest number of templates of one stage. */
export const MAX_TEMPLATES = 20;

/** Command templates, one list for each stage of an item. */
export interface CommandStages {
  /** Run when the order is paid. */
  readonly commands: readonly string[];
  /** Run in place of `commands` when the player owns the item already and its time is extended; none: `commands` run then, too. */
  readonly extendCommands: readonly string[];
  /** Run in place of `commands` when the item replaces a lower tier that the player has in the game; none: `commands` run then, too. */
  readonly upgradeCommands: readonly string[];
  /** Run when the payment was reversed after the delivery. */
  readonly takeBackCommands: readonly string[];
  /** Run when the item expires. */
  readonly expiryCommands: readonly string[];
}

/** The command templates of one version of a product. It never changes: orders and deliveries refer to it. */
export interface CommandList extends CommandStages {
  readonly id: string;
  readonly shopId: string;
}
