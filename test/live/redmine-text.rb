# Shows texts as Redmine does, in a project where its signs would lead somewhere. Leaves nothing behind.
require 'json'
texts = JSON.parse(File.read(ENV.fetch('TEXTS_FILE')))
shown = nil
ActiveRecord::Base.transaction do
  admin = User.find_by!(login: 'admin')
  User.current = admin
  project = Project.new(name: 'Signs', identifier: 'foo', is_public: true)
  project.enabled_module_names = %w[issue_tracking wiki repository]
  project.save!
  wiki = Wiki.create!(project: project, start_page: 'Wiki')
  %w[Wiki C Page].each do |title|
    page = WikiPage.create!(wiki: wiki, title: title)
    WikiContent.create!(page: page, text: 'words', author: admin)
  end
  base = { project: project, tracker: Tracker.first, author: admin, subject: 'Unrelated', status: IssueStatus.first,
           priority: IssuePriority.first }
  project.trackers = Tracker.all.to_a
  # The sequence of ids knows nothing of a number that is given.
  make = lambda do |id|
    issue = Issue.new(base)
    issue.id = id
    issue.save!(validate: false)
    issue
  end
  (1..12).each { |id| make.call(id) unless Issue.exists?(id) }
  %w[name bob ann x].each do |login|
    user = User.new(firstname: login, lastname: login, mail: "#{login}@signs.example")
    user.login = login
    user.save!(validate: false)
  end
  repository = Repository::Subversion.new(project: project, url: 'file:///nowhere', is_default: true)
  repository.save!(validate: false)
  %w[2 5 9 123].each { |revision| Changeset.create!(repository: repository, revision: revision, committed_on: Time.now) }
  issue = make.call(Issue.maximum(:id) + 1)
  shown = texts.map do |text|
    Setting.text_formatting = text['formatting']
    ApplicationController.renderer.render(
      inline: '<%= textilizable(text, object: issue, project: issue.project) %>',
      locals: { text: text['body'], issue: issue },
    )
  end
  raise ActiveRecord::Rollback
end
Setting.clear_cache
puts JSON.generate(shown)
