/**
 * The mutants that may survive, in groups with one reason each. A mutant is the line before the change, `=>`, and the line
 * after it, as the run prints it. The run checks that each of them does survive.
 */
export const survivors = [
  {
    reason: 'The same behaviour: a comparison with null is false for every date and every amount.',
    mutants: {
      'src/discounts/discount-rules.ts': [
        'if (startsAt !== null && now < startsAt) { => if (true && now < startsAt) {',
        'if (minOrderMinor !== null && orderMinor < minOrderMinor) { => if (true && orderMinor < minOrderMinor) {',
      ],
      'src/discounts/discount-terms.ts': [
        "if (startsAt !== null && endsAt !== null && startsAt >= endsAt) problems.push('endsAt must be after ... => if (true && endsAt !== null && startsAt >= endsAt) problems.push('endsAt must be after startsAt');",
      ],
    },
  },
  {
    reason: 'The same behaviour: an entry that is no state allows no move.',
    mutants: {
      'src/redemptions/redemption.types.ts': ['redeemed: [], => redeemed: ["Stryker was here"],'],
    },
  },
  {
    reason: 'Costs a read and changes no result.',
    mutants: {
      'src/redemptions/redemptions.service.ts': [
        'const limitsBuyers = discount.maxUsesPerBuyer !== null || discount.firstPurchaseOnly; => const limitsBuyers = true;',
      ],
    },
  },
  {
    reason: 'Cannot happen: the same transaction has just read the record.',
    mutants: {
      'src/discounts/discounts.service.ts': [
        'const after = orNotFound(updated, \'discount_not_found\'); => const after = orNotFound(updated, "");',
      ],
    },
  },
];
