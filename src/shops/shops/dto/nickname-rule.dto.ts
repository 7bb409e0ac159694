import { ApiSchema, PickType } from '@nestjs/swagger';
import { ChoiceField, FollowsRule, IntegerField, StringField } from '../../../http/validation/fields.js';
import { MAX_NICKNAME_LENGTH } from '../../../domain/buyers/nickname-pattern.js';
import { NICKNAME_PRESETS, type NicknamePreset, ruleProblems } from '../../../domain/buyers/nickname-rule.js';

/** A pattern of another type has a problem of its own. */
function problemsOf(preset: NicknamePreset, _field: string, { pattern }: { readonly pattern?: unknown }): string[] {
  return typeof pattern === 'string' || pattern === null ? ruleProblems({ preset, pattern }) : [];
}

@ApiSchema({ description: "The rule that the nicknames of a shop's players follow." })
export class NicknameRuleDto {
  @FollowsRule(problemsOf)
  @ChoiceField({
    oneOf: NICKNAME_PRESETS,
    description: 'A known naming rule, or `custom` with a pattern of your own.',
    example: 'minecraft-java',
  })
  preset!: NicknamePreset;

  @StringField({
    optional: true,
    nullable: true,
    maxLength: 100,
    description:
      'Of `custom`: a regular expression that has to match the whole nickname, with or without `^` and `$`. It has ASCII characters, ' +
      'classes such as `[\\w.-]`, `\\d` and `\\w`, groups, alternatives and repetitions. A slow one is rejected.',
    example: null,
  })
  pattern: string | null = null;
}

@ApiSchema({ description: 'The rule for nicknames, so that a form can check one before it sends it.' })
export class PublicNicknameRuleDto extends PickType(NicknameRuleDto, ['preset']) {
  @StringField({
    maxLength: 600,
    description:
      'A JavaScript regular expression for the whole nickname: the `pattern` of an input field, or `RegExp` with the flag `u` or `v`.',
    example: '^[A-Za-z0-9_]{3,16}$',
  })
  pattern!: string;

  @IntegerField({
    minimum: 1,
    maximum: MAX_NICKNAME_LENGTH,
    description: 'The largest length, as JavaScript counts it: the `maxlength` of an input field.',
    example: MAX_NICKNAME_LENGTH,
  })
  maxLength!: number;
}
