import { ApiSchema, PickType } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  ObjectListField,
  StringField,
} from '../../../http/validation/fields.js';
import { MAX_REPORT_BYTES } from '../../../http/requests/body-parsers.js';
import {
  type Acknowledgement,
  ACKNOWLEDGEMENTS,
  DELIVERY_STATES,
} from '../../../delivery/deliveries/delivery.types.js';
import { LeaseSecondsField } from './lease.dto.js';
import { MAX_OUTPUT_LENGTH } from '../../../delivery/deliveries/delivery-rules.js';

const MAX_RESULTS = 100;
/** More than a body can have: an output is cut, never rejected, so that no report is lost. */
const MAX_SENT_OUTPUT = MAX_REPORT_BYTES;

@ApiSchema({ description: 'The result of one attempt.' })
export class AcknowledgementDto {
  @IdField({ description: 'The delivery.', example: '655f1c2ab1e4a9d3f0c812a0' })
  deliveryId!: string;

  @IntegerField({ minimum: 1, maximum: 1_000_000, description: 'The attempt, as it was leased.', example: 1 })
  attempt!: number;

  @ChoiceField({
    oneOf: ACKNOWLEDGEMENTS,
    description:
      '`begun`: the first command runs next; the delivery is never leased again by itself. `delivered`: the commands ran, and the game has saved ' +
      'it. `handed_over`: they were sent, and this way never confirms. `uncertain`: they were sent, and the outcome was not seen; staff decide, or ' +
      'the plugin reports `delivered` or `failed` later. `failed` waits for staff: nobody runs the delivery again until they say so. `released`: ' +
      'none of them ran; the delivery waits again, and has as many attempts left as before. After seven days of releases it fails.',
    example: 'delivered',
  })
  status!: Acknowledgement['status'];

  @StringField({
    optional: true,
    nullable: true,
    minLength: 0,
    maxLength: MAX_SENT_OUTPUT,
    anyCharacter: true,
    description: `What the console printed. The first ${MAX_OUTPUT_LENGTH} characters are kept, without control characters.`,
    example: 'Gave 1 [Diamond] to Steve_42',
  })
  output?: string | null;

  @IntegerField({
    optional: true,
    minimum: 10,
    maximum: 3_600,
    description: 'With `released`: after how many seconds it can be leased again.',
    default: 30,
    example: 30,
  })
  retrySeconds?: number;

  @LeaseSecondsField('With `begun`: for how many seconds from now the lease lasts.')
  leaseSeconds?: number;
}

@ApiSchema({
  description: `The results of attempts, at most ${MAX_RESULTS} in one request of at most ${MAX_REPORT_BYTES / 1024} KB.`,
})
export class AcknowledgeDto {
  @ObjectListField(
    {
      minItems: 1,
      maxItems: MAX_RESULTS,
      description: 'One entry for each attempt, in the order in which they ran.',
      example: [{ deliveryId: '655f1c2ab1e4a9d3f0c812a0', attempt: 1, status: 'delivered', output: 'Done' }],
    },
    () => AcknowledgementDto,
  )
  results!: AcknowledgementDto[];
}

@ApiSchema({ description: 'Whether the service accepted a result.' })
export class AcknowledgementOutcomeDto extends PickType(AcknowledgementDto, ['deliveryId', 'attempt']) {
  @ChoiceField({
    oneOf: [...DELIVERY_STATES, 'unknown'],
    description: 'The state of the delivery now; `unknown` when there is no such delivery for this caller.',
    example: 'delivered',
  })
  status!: string;

  @BooleanField({
    description:
      'Whether the report counts. false: there is no such attempt, another report of it came first, or a newer attempt was ' +
      'reported. The plugin need not send it again.',
    example: true,
  })
  accepted!: boolean;
}

@ApiSchema({ description: 'The reports in the order of the request.' })
export class AcknowledgedDto {
  @ObjectListField(
    {
      maxItems: MAX_RESULTS,
      description: 'One entry for each report.',
      example: [{ deliveryId: '655f1c2ab1e4a9d3f0c812a0', attempt: 1, status: 'delivered', accepted: true }],
    },
    () => AcknowledgementOutcomeDto,
  )
  results!: AcknowledgementOutcomeDto[];
}
