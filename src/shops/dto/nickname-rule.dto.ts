import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, TextField } from '../../common/validation/fields.js';
import { NICKNAME_PRESETS, type NicknamePreset } from '../../common/validation/nickname-rule.js';

@ApiSchema({ description: "The rule that the nicknames of a shop's players follow." })
export class NicknameRuleDto {
  @ChoiceField({
    oneOf: NICKNAME_PRESETS,
    description: 'A known naming rule, or `custom` with a pattern of your own.',
    example: 'minecraft-java',
  })
  preset!: NicknamePreset;

  @TextField({
    optional: true,
    nullable: true,
    maxLength: 100,
    description:
      'Of `custom`: characters and character classes with bounded repetitions; it has to match the whole nickname.',
    example: null,
  })
  pattern: string | null = null;
}
