# What the REST API of Redmine cannot do: settings, the administrator's key, custom fields. Run once, by "rails runner".
Redmine::DefaultData::Loader.load('en') if Redmine::DefaultData::Loader.no_data?
Setting.rest_api_enabled = '1'
Setting.host_name = ENV.fetch('HOST_NAME')
Setting.attachment_max_size = '2048'
# Notes of a seeded source are announced, which proves that the folder for mail works; a destination is prepared for silence.
Setting.notified_events = ENV.fetch('SILENT') == '1' ? [] : %w[issue_added issue_note_added]

admin = User.find_by!(login: 'admin')
admin.must_change_passwd = false
admin.save!
Role.find_by!(name: 'Manager').add_permission!(:set_notes_private, :view_private_notes, :set_issues_private, :add_issue_watchers)

def make(klass, name, format, attributes = {})
  field = klass.new({ name: name, field_format: format, editable: true, visible: true }.merge(attributes))
  if field.is_a?(IssueCustomField)
    field.is_for_all = true
    field.tracker_ids = Tracker.pluck(:id)
  end
  field.save!
  field
end

make IssueCustomField, 'Wherry key', 'string', is_filter: true
make TimeEntryCustomField, 'Wherry key', 'string', is_filter: true
make IssueCustomField, 'Severity', 'list', possible_values: ['Low', 'High', 'Schlimm & „ernst“']
make IssueCustomField, 'Platforms', 'list', possible_values: %w[Linux macOS データ], multiple: true
make IssueCustomField, 'Customer', 'string', default_value: 'nobody asked'
make IssueCustomField, 'Reported on', 'date'
make IssueCustomField, 'Story points', 'int'
make IssueCustomField, 'Budget', 'float'
make IssueCustomField, 'Billable', 'bool'
make IssueCustomField, 'Reviewer', 'user'
make IssueCustomField, 'Seen in', 'version'
make IssueCustomField, 'QA notes', 'text'
make IssueCustomField, 'Spec', 'link'
phase = make IssueCustomField, 'Phase', 'enumeration'
%w[Idea Build Done].each_with_index { |name, at| phase.enumerations.create!(name: name, position: at + 1) }
make ProjectCustomField, 'Cost centre', 'string'
make VersionCustomField, 'Codename', 'string'
make TimeEntryCustomField, 'Invoice', 'string'
make UserCustomField, 'Department', 'string'

File.write(ENV.fetch('KEY_FILE'), admin.api_key)
