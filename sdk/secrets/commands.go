package secrets

// argument is a value on a command line, quoted or not.
const argument = `(?:'(?P<value>[^'\n]+)'|"(?P<value2>[^"\n]+)"|(?P<value3>[^\s'"|;&<>()]+))`

func command(words []string, pattern string) rule {
	return rule{name: "command-line", words: words, re: lazy(pattern + argument), accept: mixedNamed}
}

// commands are the options of well-known programs that take a password.
var commands = []rule{
	command([]string{"mysql", "mariadb"}, `\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)\b[^\n|;]*?\s-p`),
	command([]string{"sshpass"}, `\bsshpass\s+-p\s*`),
	command([]string{"ldap"}, `\bldap(?:search|modify|add|delete|whoami|passwd|compare)\b[^\n|;]*?\s-w\s*`),
	command([]string{"redis-cli"}, `\bredis-cli\b[^\n|;]*?\s(?:-a|--pass)[\s=]+`),
	command([]string{"login", "mongo", "smbclient", "wget", "svn", "keytool", "sqlcmd", "rabbitmqadmin"},
		`\b(?:(?:docker|podman|helm|oc|az|skopeo|buildah|crane)\s[^\n|;]*?login|mongo\w*|sqlcmd|rabbitmqadmin)\b[^\n|;]*?\s(?:-p|-P)[\s=]+`),
	command([]string{"curl", "wget", "http"}, `\b(?:curl|wget|https?|xh)\b[^\n|;]*?\s(?:-u|--user|--auth|-a|--proxy-user|-U)[\s=]*['"]?[^\s:'"/]+:`),
	command([]string{"openssl", "pass:"}, `\s-pass(?:in|out)?\s+['"]?pass:`),
	command([]string{"--"}, `(?i)\s--(?:[a-z]+-)*(?:password|passwd|pass|passphrase|token|secret|api-?key|access-key|secret-key|storepass|keypass)(?:\s+|=)`),
}
