export const REQUIREMENT_MODES = ['all', 'any'] as const;
export type RequirementMode = (typeof REQUIREMENT_MODES)[number];

/** How many products a rule of a product can name. */
export const MAX_NAMED_PRODUCTS = 20;

/** What a player must own, or get in the same order. */
export interface Requirement {
  readonly mode: RequirementMode;
  /** At least one. */
  readonly productIds: readonly string[];
}

/** Which other products decide whether a player can buy a product. */
export interface OwnershipRules {
  /** null: none. */
  readonly requires: Requirement | null;
  /** Who owns one of these cannot buy it. */
  readonly excludedBy: readonly string[];
}

/** The products that the rules name. */
export function namedProducts({ requires, excludedBy }: OwnershipRules): string[] {
  return [...new Set([...(requires?.productIds ?? []), ...excludedBy])];
}

/** A requirement in the form of the audit log. */
export function requirementInWords(requires: Requirement | null): string | null {
  return requires && `${requires.mode} of ${requires.productIds.join(', ')}`;
}

/** What is wrong with the rules, one sentence for each problem. */
export function ruleProblems({ requires, excludedBy }: OwnershipRules): string[] {
  const isBoth = requires?.productIds.some((id) => excludedBy.includes(id)) ?? false;
  return isBoth ? ['requires and excludedBy must not name the same product: nobody could buy it'] : [];
}
