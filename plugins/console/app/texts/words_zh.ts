/**
 * The words of which the names of fields consist, in Chinese: `word=译` or `several words=译`,
 * separated by semicolons.
 * Names of other plugins use the same words; a word that is not here stays as it is.
 */
export const WORDS = `
id=ID; ids=ID 列表; name=名称; names=名称; fullname=姓名; username=用户名; password=密码; email=邮箱;
mobile=手机; tel=电话; remark=备注; description=描述; note=说明; title=标题; content=内容; body=正文;
text=文本; label=标签; tag=标签; tags=标签; on=启用; up=在线; active=活跃; enabled=已启用; enable=启用;
enable all=全部启用; available=可用; installed=已安装; created at=创建时间; updated at=更新时间;
expires at=到期时间; expired at=到期时间; deleted at=删除时间; finished at=完成时间; paid at=支付时间;
accessed at=访问时间; last=最近; at=时间; time=时间; timestamp=时间戳; day=日期; days=天数;
day from=开始日期; day to=结束日期; hour=小时; hours=小时; month=月份; months=月数; year=年份;
minute=分钟; minutes=分钟; second=秒; seconds=秒; milliseconds=毫秒; ms=毫秒; daily=每日;
hourly=每小时; weekly=每周; monthly=每月; seasonally=每季; yearly=每年; period=周期; periods=周期;
sub dir=子目录; begin=开始; start=开始; end=结束; from=起; to=止; since=自; interval=间隔; duration=时长;
lifetime=有效期; life=有效期; node=节点; nodes=节点; cluster=集群; clusters=集群;
node cluster=节点集群; ns=DNS; ns cluster=DNS 集群; ns node=DNS 节点; server=网站; servers=网站;
server names=网站域名; domain=域名; domains=域名; record=记录; records=记录; route=线路; routes=线路;
group=分组; groups=分组; region=区域; regions=区域; zone=区域; host=主机; hosts=主机; hostname=主机名;
address=地址; addresses=地址; addr=地址; addrs=地址; port=端口; ports=端口; port range=端口范围;
protocol=协议; ip=IP; dns=DNS; ttl=TTL; mx=MX; srv=SRV; caa=CAA; txt=TXT; soa=SOA; cname=CNAME;
tsig=TSIG; cidr=CIDR; http=HTTP; https=HTTPS; tcp=TCP; tls=TLS; udp=UDP; doh=DoH;
websocket=WebSocket; ssl=SSL; api=API; acme=ACME; eab=EAB; ssh=SSH; json=JSON; url=URL; uri=URI;
os=系统; arch=架构; cpu=CPU; memory=内存; disk=磁盘; disks=磁盘; load=负载; usage=使用率;
capacity=容量; size=大小; bytes=字节; bits=比特; mb=MB; gb=GB; user=用户; users=用户; admin=管理员;
admins=管理员; customer=客户; owner=所有者; role=角色; module=模块; modules=模块; super=超级管理员;
can login=可登录; has weak password=弱密码; login=登录; otp login=两步验证; otp=两步验证; secret=密钥;
token=令牌; key=密钥; keys=密钥; unique id=唯一 ID; access key=访问密钥; access=访问; private=私有;
public=公开; grant=登录凭证; grants=登录凭证; passphrase=口令; su=su 提权; verified=已验证;
verify=验证; verification=验证; verifying=验证; identified=已认证; individual identified=个人认证;
enterprise identified=企业认证; rejected=已拒绝; reject=拒绝; reason=原因; suspended=已暂停; type=类型;
kind=种类; code=代码; codes=代码; status=状态; state=状态; value=值; values=值; data=数据; params=参数;
param=参数; options=选项; option=选项; config=配置; setting=设置; mode=模式; method=方法; methods=方法;
level=级别; version=版本; number=编号; priority=优先级; weight=权重; order=订单; orders=订单;
source=来源; target=目标; result=结果; results=结果; error=错误; errors=错误; message=消息;
messages=消息; media=媒介; medias=媒介; instance=实例; instances=实例; recipient=接收人;
recipients=接收人; task=任务; tasks=任务; event=事件; event type=事件类型; hash=哈希;
content type=内容类型; template=模板; rate=速率; limit=限制; limits=限制; max=最大; min=最小;
minimum=最小; total=总计; sum=合计; top=最高; avg=平均; first=首个; all=全部; only=仅; new=新; old=旧;
plan=套餐; plans=套餐; user plan=用户套餐; price=价格; prices=价格; price type=计价方式; traffic=流量;
bandwidth=带宽; bandwidth price=带宽价格; traffic price=流量价格; traffic limit=流量限制;
percentile=百分位; features=功能; feature=功能; full=全部; quotas=配额; quota=配额; package=流量包;
packages=流量包; amount=金额; account=账户; accounts=账户; bill=账单; bills=账单; invoice=发票;
invoices=发票; tax=税; taxes=税; paid=已支付; pay=支付; currency=币种; frozen=冻结; debt=欠费;
delta=变动; refund=退款; refunds=退款; refunded=已退款; charge=充值; cancelled=已取消; overdue=逾期;
grace=宽限; credit=抵扣; cost=费用; request=请求; requests=请求; response=响应; attack=攻击;
cached=缓存; cache=缓存; cache policy=缓存策略; policy=策略; policies=策略; firewall=防火墙;
firewall policy=防火墙策略; rule=规则; rules=规则; set=规则集; sets=规则集; action=动作; actions=动作;
condition=条件; conds=条件; block=拦截; allow=允许; deny=拒绝; captcha=验证码; inbound=入站;
outbound=出站; scope=范围; connector=连接方式; ignore=忽略; local=本地; remote=远程; country=国家;
province=省份; location=位置; isp=运营商; origin=源站; origins=源站; reverse proxy=反向代理;
proxy=代理; backup=备用; primary=主; secondary=备; scheduling=调度; timeout=超时;
conn timeout=连接超时; read timeout=读取超时; idle timeout=空闲超时; idle=空闲; connection=连接;
connections=连接; conn=连接; conns=连接; fails=失败次数; fail=失败; failed=失败; success=成功;
health check=健康检查; health=健康; check=检查; checking=检查; cert=证书; certs=证书; ca=CA;
common names=通用名称; expires=到期; fingerprint=指纹; provider=服务商; report=上报; metric=指标;
metrics=指标; item=项目; items=项目; chart=图表; charts=图表; stat=统计; stats=统计; log=日志;
logs=日志; access log=访问日志; file=文件; filename=文件名; chunk=分块; dir=目录; latest=最新; ip lists=IP 名单; enable ip lists=启用 IP 名单; backup for cluster=集群备用; backup for group=分组备用; sub dir=子目录; sub dirs=子目录; compression=压缩; fetch=抓取; parent=上级; qrcode=二维码; dirs=目录; path=路径;
page=页面; category=分类; keyword=关键字; search=搜索; filter=筛选; offset=偏移; install=安装;
install dir=安装目录; install status=安装状态; upgrade=升级; build=构建; system=系统; service=服务;
services=服务; deploy=部署; sync=同步; detect=检测; agents=客户端; remote start=远程启动;
auto remote start=自动远程启动; checking ports=检查端口; detect agents=检测客户端; auto=自动;
auditing=审核中; has=有; can=可; require=要求; support=支持; supports=支持; follow=跟随;
follow port=跟随端口; strip prefix=去除前缀; tls version=TLS 版本; recursion=递归; answer=应答;
answers=应答; ddos protection=DDoS 防护; ddos=DDoS; protection=防护; open=开放; listen=监听; mail=邮件;
web=网站; user agent=浏览器; ranges=范围; range=范围; include=包含; exclude=排除; unit=单位;
count=数量; per=每; and=和; or=或; not=非; none=无; more=更多; default=默认; custom=自定义;
deleted=已删除; read=已读; unread=未读; fixed=已修复; prior=优先; weak=弱;
support cname=支持 CNAME; use=使用; used=已用; free=空闲; exists=存在;
tuning=调优; nftables=nftables; threads=线程; trim=整理; concurrent=并发; reads=读取; writes=写入;
pinned=固定; clock=时钟; chrony=chrony; flag=标志; family=族; upload=上传; retry=重试; refresh=刷新;
notice=通知; expiring=即将到期; expired=已过期; expire=过期; base=基准; missing=缺失; empty=空;
algo=算法; width=宽度; div=等分; subject=主题; smtp=SMTP; serial=序列号; rest=REST; httpjson=HTTP JSON;
httpsjson=HTTPS JSON; lines=行; lang=语言; args=参数; keep=保留; configs=配置; ignored=已忽略; global=全局;
formal=正式; client=客户端; browser=浏览器; browsers=浏览器; formal client browsers=浏览器识别;
kid=KID; formal client browser=浏览器识别; debug=调试; logical=逻辑; load1m=1 分钟负载; load5m=5 分钟负载;
load15m=15 分钟负载; exe=程序; connectivity=连通率; notify=通知; web hook=回调
`;
