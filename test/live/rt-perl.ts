// Tasks that REST 2.0 of Request Tracker 5 cannot do: settings, rights, applying custom fields, tokens, and incoming
// mails.

/** The settings of a temporary installation: its mails stay in files, and tokens are checked quickly. */
export const siteConfig = (folder: string, port: number): string => `
Set($rtname, 'live.example');
Set($Organization, 'live.example');
Set($CorrespondAddress, 'rt\\@live.example');
Set($CommentAddress, 'rt-comment\\@live.example');
Set($OwnerEmail, 'root\\@live.example');
Set($Timezone, 'UTC');
Set($WebDomain, '127.0.0.1');
Set($WebPort, ${port});
Set($WebPath, '');
Set($DatabaseType, 'Pg');
Set($DatabaseHost, '${folder}/socket');
Set($DatabasePort, '');
Set($DatabaseName, 'rt');
Set($DatabaseUser, 'rt');
Set($DatabaseAdmin, 'rt');
Set($DatabasePassword, '');
Set($LogToSyslog, undef);
Set($LogToSTDERR, 'error');
Set($HTMLFormatter, 'core');
Set($BcryptCost, 4);
Set($MailCommand, 'mbox');
$RT::VarPath = '${folder}/mail';
$RT::MasonDataDir = '${folder}/mason';
1;
`

const preamble = `
use strict; use warnings; use utf8;
use lib '/usr/share/request-tracker5/lib', '/usr/local/share/request-tracker5/lib';
use RT -init;
my $system = RT->SystemUser;
`

/** Creates custom fields of every kind, the rights of agents, and a token, which it prints. */
export const rtSetup = `${preamble}
my $agents = RT::Group->new($system);
$agents->LoadSystemInternalGroup('Privileged');
$agents->PrincipalObj->GrantRight(Right => $_, Object => RT->System)
    for qw(SeeQueue ShowTicket ShowTicketComments CreateTicket ReplyToTicket CommentOnTicket ModifyTicket OwnTicket TakeTicket
           Watch WatchAsAdminCc SeeCustomField ModifyCustomField SetInitialCustomField);
my $everyone = RT::Group->new($system);
$everyone->LoadSystemInternalGroup('Everyone');
$everyone->PrincipalObj->GrantRight(Right => $_, Object => RT->System) for qw(CreateTicket ReplyToTicket);
my %lookup = (ticket => 'RT::Queue-RT::Ticket', txn => 'RT::Queue-RT::Ticket-RT::Transaction', queue => 'RT::Queue', user => 'RT::User');
sub field {
    my ($on, $name, $type, @values) = @_;
    my $field = RT::CustomField->new($system);
    my ($ok, $why) = $field->Create(Name => $name, Type => $type, LookupType => $lookup{$on});
    die "$on/$name: $why" unless $ok;
    my $order = 0;
    $field->AddValue(Name => $_, SortOrder => ++$order) for @values;
    ($ok, $why) = $field->AddToObject($on eq 'user' ? RT::User->new($system) : RT::Queue->new($system));
    die "$on/$name: $why" unless $ok;
}
field($_, 'Wherry key', 'FreeformSingle') for qw(ticket txn queue user);
field(ticket => 'Severity', 'SelectSingle', qw(Low Medium High));
field(ticket => 'Components', 'SelectMultiple', 'API', 'Büro', 'データ');
field(ticket => 'Customer number', 'FreeformSingle');
field(ticket => 'Aliases', 'FreeformMultiple');
field(ticket => 'Reported on', 'DateSingle');
field(ticket => 'Promised at', 'DateTimeSingle');
field(ticket => 'Notes for QA', 'TextSingle');
field(ticket => 'Scan', 'BinarySingle');
field(user => 'Contract', 'FreeformSingle');
field(queue => 'Region', 'FreeformSingle');
my $root = RT::CurrentUser->new;
$root->Load('root');
my ($id, $why, $token) = RT::AuthToken->new($root)->Create(Owner => $root->id, Description => 'live');
die $why unless $id;
print $token;
`

/** Delivers a mail with alternatives, an inline picture, and a file in an old encoding. */
export const rtMailSeed = `${preamble}
use MIME::Entity;
my $customer = RT::CurrentUser->new;
$customer->LoadByEmail('omar@customer.example');
my $ticket = RT::Ticket->new(RT::CurrentUser->new('root'));
$ticket->LoadByCols(Subject => 'Mails with parts');
die 'no ticket' unless $ticket->id;
my $mail = MIME::Entity->build(Type => 'multipart/mixed', From => 'omar@customer.example', Subject => 'Re: parts');
my $shown = $mail->attach(Type => 'multipart/related');
my $both = $shown->attach(Type => 'multipart/alternative');
$both->attach(Type => 'text/plain', Charset => 'UTF-8', Data => Encode::encode('UTF-8', "Plain, für alle.\\n"));
$both->attach(Type => 'text/html', Charset => 'UTF-8', Data => Encode::encode('UTF-8', '<p>Rich, <b>für alle</b>: <img src="cid:picture.1@mail"></p>'));
$shown->attach(Type => 'image/png', Encoding => 'base64', Id => '<picture.1@mail>', Data => "\\x89PNG\\x0d\\x0a\\x1a\\x0a\\x00\\x01");
$mail->attach(Type => 'text/plain', Charset => 'iso-8859-1', Filename => 'alt.txt', Disposition => 'attachment', Data => "gr\\xfc\\xdfe\\r\\n");
$ticket->CurrentUser($customer) if $customer->id;
my ($ok, $why) = $ticket->Correspond(MIMEObj => $mail);
die $why unless $ok;
`

/** Delivers mails as the mail server does. Its arguments are the mail files. */
export const rtMailGate = `${preamble}
use RT::Interface::Email;
for my $file (@ARGV) {
    open my $handle, '<:raw', $file or die $!;
    my $message = do { local $/; <$handle> };
    my ($ok, $why) = RT::Interface::Email::Gateway({ queue => 'General', action => 'correspond', message => $message });
    die "$file: $why" unless $ok;
}
`

/** Creates a second token, which a test revokes. */
export const tokenScript = `${preamble}
my $root = RT::CurrentUser->new;
$root->Load('root');
my ($id, $why, $token) = RT::AuthToken->new($root)->Create(Owner => $root->id, Description => 'mover');
die $why unless $id;
print $token;
`

/** Lets requesters see their tickets, as most sites do, and prints a token of the named user. */
export const customerScript = `${preamble}
my $requestors = RT::Group->new($system);
$requestors->LoadRoleGroup(Object => RT->System, Name => 'Requestor');
$requestors->PrincipalObj->GrantRight(Right => 'ShowTicket', Object => RT->System);
my $user = RT::User->new($system);
$user->LoadByEmail($ARGV[0]);
die 'no such user' unless $user->id;
my ($id, $why, $token) = RT::AuthToken->new($system)->Create(Owner => $user->id, Description => 'customer');
die $why unless $id;
print $token;
`
