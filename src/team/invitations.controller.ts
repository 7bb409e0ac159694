import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated, InShop, RequirePermissions } from '../common/auth/access.decorators.js';
import { type AuthContext, type ShopContext } from '../common/auth/auth-context.js';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { Answers } from '../common/http/answers.decorator.js';
import { INVITATION_ID, SHOP_ID } from '../common/http/path-parameters.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../common/validation/object-id.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { InvitationDto } from './dto/invitation.dto.js';
import { InvitationTokenDto } from './dto/invitation-token.dto.js';
import { InviteDto } from './dto/invite.dto.js';
import { InvitationAnswersService } from './invitation-answers.service.js';
import { InvitationsService } from './invitations.service.js';
import { toInvitationDto } from './team.mapper.js';

@ApiTags('Team')
@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly answers: InvitationAnswersService,
  ) {}

  @Post('shops/:shopId/team/invitations')
  @RequirePermissions('team:write')
  @RateLimit('invitation')
  @Idempotent()
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Invite a person', description: 'Mails a single-use token that lives 7 days.' })
  @Answers(InvitationDto, 'Invitation sent')
  async invite(@InShop() context: ShopContext, @Body() body: InviteDto): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.invite(context, body.email, body.role));
  }

  @Delete('shops/:shopId/team/invitations/:invitationId')
  @RequirePermissions('team:write')
  @ApiParam(SHOP_ID)
  @ApiParam(INVITATION_ID)
  @ApiOperation({ summary: 'Take an invitation back', description: 'The token in the mail stops working.' })
  @Answers(InvitationDto, 'Invitation revoked')
  async revoke(
    @InShop() context: ShopContext,
    @Param('invitationId', ObjectIdPipe) invitationId: string,
  ): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.revoke(context, invitationId));
  }

  @Post('team/invitations/accept')
  @Authenticated()
  @DocumentedErrors(409)
  @ApiOperation({
    summary: 'Accept an invitation',
    description: 'Joins the team that the token is for; the account must have the invited address.',
  })
  @Answers(InvitationDto, 'Invitation accepted')
  async accept(@Auth() auth: AuthContext, @Body() body: InvitationTokenDto): Promise<InvitationDto> {
    return toInvitationDto(await this.answers.accept(auth, body.token));
  }

  @Post('team/invitations/decline')
  @Authenticated()
  @ApiOperation({
    summary: 'Decline an invitation',
    description: 'Ends the invitation that the token is for; the account must have the invited address.',
  })
  @Answers(InvitationDto, 'Invitation declined')
  async decline(@Auth() auth: AuthContext, @Body() body: InvitationTokenDto): Promise<InvitationDto> {
    return toInvitationDto(await this.answers.decline(auth, body.token));
  }
}
