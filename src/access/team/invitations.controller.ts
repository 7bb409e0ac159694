import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated, InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { INVITATION_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { Idempotent } from '../../http/idempotency/idempotent.decorator.js';
import { InvitationDto } from './dto/invitation.dto.js';
import { InvitationTokenDto } from './dto/invitation-token.dto.js';
import { InviteDto } from './dto/invite.dto.js';
import { InvitationRepliesService } from './invitation-replies.service.js';
import { InvitationsService } from './invitations.service.js';
import { toInvitationDto } from './team.mapper.js';

@ApiTags('Team')
@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly replies: InvitationRepliesService,
  ) {}

  @Post('shops/:shopId/team/invitations')
  @RequirePermissions('team:write')
  @DocumentedErrors('permission_not_grantable', 'emails_off', 'already_member', 'quota_reached')
  @RateLimit('invitation')
  @Idempotent()
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Invite a person', description: 'Sends a token by email. It works once, for 7 days.' })
  @RespondsWith(InvitationDto, 'Invitation sent')
  async invite(@InShop() context: ShopContext, @Body() body: InviteDto): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.invite(context, body.email, body.role));
  }

  @Delete('shops/:shopId/team/invitations/:invitationId')
  @RequirePermissions('team:write')
  @DocumentedErrors('invitation_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(INVITATION_ID)
  @ApiOperation({ summary: 'Revoke an invitation', description: 'The token in the email stops working.' })
  @RespondsWith(InvitationDto, 'Invitation revoked')
  async revoke(
    @InShop() context: ShopContext,
    @Param('invitationId', ObjectIdPipe) invitationId: string,
  ): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.revoke(context, invitationId));
  }

  @Post('team/invitations/accept')
  @Authenticated()
  @DocumentedErrors('invitation_invalid', 'shop_not_found', 'already_member', 'quota_reached')
  @ApiOperation({
    summary: 'Accept an invitation',
    description: 'Joins the team. The account must have the invited email address.',
  })
  @RespondsWith(InvitationDto, 'Invitation accepted')
  async accept(@Auth() auth: AuthContext, @Body() body: InvitationTokenDto): Promise<InvitationDto> {
    return toInvitationDto(await this.replies.accept(auth, body.token));
  }

  @Post('team/invitations/decline')
  @Authenticated()
  @DocumentedErrors('invitation_invalid')
  @ApiOperation({
    summary: 'Decline an invitation',
    description: 'Ends the invitation. The account must have the invited email address.',
  })
  @RespondsWith(InvitationDto, 'Invitation declined')
  async decline(@Auth() auth: AuthContext, @Body() body: InvitationTokenDto): Promise<InvitationDto> {
    return toInvitationDto(await this.replies.decline(auth, body.token));
  }
}
