/**
 * The words of which the names of fields consist, in Chinese: `word=译`, separated by semicolons and in the order of the
 * alphabet. Names of other plugins use the same words; a word that is missing stays as it is.
 */
export const WORDS = `
accepted=接受; access=访问; accessed=已访问; account=账户; accounts=账户; acme=ACME; act=行为; action=动作;
actions=动作; active=活跃; add=添加; added=已添加; addr=地址; address=地址; addresses=地址; addrs=地址; admin=管理员;
admins=管理员; advice=建议; age=时长; agent=客户端; agents=客户端; algo=算法; algorithm=算法; aliyun=阿里云; all=全部;
allow=允许; allowed=允许的; always=始终; amount=金额; and=和; anonymous=匿名; answer=应答; answers=应答; api=API;
app=应用; arch=架构; args=参数; argument=参数; asc=升序; async=异步; at=时间; attack=攻击; attempt=尝试;
attempts=尝试次数; attrs=属性; audit=审计; auditing=审核中; auth=验证; authority=认证; auto=自动; automatic=自动;
available=可用; average=平均; avg=平均; backup=备用; backups=备份; bandwidth=带宽; base=基准; began=开始; begin=开始;
bill=账单; bills=账单; bits=比特数; block=拦截; bodies=正文; body=正文; browser=浏览器; browsers=浏览器; build=构建;
busy=忙碌; button=按钮; by=按; byte=字节; bytes=字节数; ca=CA; caa=CAA; cache=缓存; cached=缓存; calculate=计算;
call=调用; caller=调用方; calls=调用; can=可; cancelled=已取消; capacity=容量; captcha=验证码; case=大小写;
category=分类; cert=证书; certs=证书; change=更改; changed=已更改; changes=更改; charge=充值; chart=图表; charts=图表;
check=检查; checked=检查; checking=检查; checkpoint=检查点; chrony=chrony; chunk=分块; chunked=分块; cidr=CIDR;
clear=清除; clickhouse=ClickHouse; client=客户端; clock=时钟; cluster=集群; clusters=集群; cname=CNAME; code=代码;
codes=代码; color=颜色; column=列; columns=列; comment=评论; comments=评论; common=常见; complete=完整;
composed=组合参数; compress=压缩; compressed=已压缩; compression=压缩; concurrent=并发; cond=条件; condition=条件;
conditions=条件; conds=条件; config=配置; configs=配置; configured=已配置; conn=连接; connected=已连接;
connection=连接; connections=连接; connectivity=连通率; connector=逻辑关系; conns=连接; console=控制台; constant=常量;
contact=联系; content=内容; contributes=贡献; control=控制; cookie=Cookie; cookies=Cookie; corporate=企业; cors=CORS;
cost=费用; count=数量; country=国家; cpu=CPU; create=创建; created=已创建; credit=抵扣; css=CSS; currency=币种;
current=当前; custom=自定义; customer=客户; daily=每日; data=数据; database=数据库; date=日期; day=日期; days=天数;
db=数据库; ddos=DDoS; debt=欠费; debug=调试; default=默认; delete=删除; deleted=已删除; delta=变动; deny=拒绝;
denying=拦截; deploy=部署; depth=深度; desc=降序; description=描述; detail=详情; details=详情; detect=检测; dir=目录;
directory=目录; dirs=目录; disable=停用; disabled=已禁用; disk=磁盘; disks=磁盘; div=等分; dns=DNS; dnskey=DNSKEY;
dnssec=DNSSEC; doh=DoH; domain=域名; domains=域名; down=离线; download=下载; drain=排空; ds=DS; due=到期;
duplicated=重复的; duration=时长; eab=EAB; each=每个; effect=作用; email=邮箱; empty=空; enable=启用; enabled=已启用;
encoding=编码; encodings=编码; encryption=加密方式; end=结束; ended=结束; endpoint=端点; endpoints=端点; engine=引擎;
enterprise=企业; entries=条目; erased=已清空; error=错误; errors=错误; event=事件; every=每隔; exclude=排除; exe=程序;
existing=已有; exists=存在; expire=过期; expired=已过期; expires=到期; expiring=即将到期; fail=失败; failed=失败;
fails=失败次数; failure=失败; failures=失败; family=族; feature=功能; features=功能; fetch=获取; field=字段;
fields=字段; file=文件; filename=文件名; files=文件; filter=筛选; filters=筛选; find=查找; finding=检查结果;
findings=检查结果; fingerprint=指纹; finished=已完成; firewall=防火墙; first=首个; fixed=已修复; flag=标志; flood=洪水;
flush=刷新; follow=跟随; footer=页脚; for=用于; force=强制; forced=强制; form=表单; format=格式; forward=转发;
found=找到; free=可用; from=起; frozen=冻结; full=全部; fullname=姓名; gb=GB; global=全局; grace=宽限期;
grant=SSH 认证; grants=SSH 认证; grey=灰; group=分组; groups=分组; grpc=gRPC; guard=保护; has=有; hash=哈希; head=链头;
header=请求头; headers=请求头; health=健康; healthy=健康; height=高度; hide=隐藏; history=历史; hit=命中; hook=钩子;
host=主机; hostname=主机名; hosts=主机; hour=小时; hourly=每小时; hours=（小时）; html=HTML; http=HTTP; http2=HTTP/2;
httpjson=HTTP JSON; https=HTTPS; httpsjson=HTTPS JSON; id=ID; identified=已认证; idle=空闲; ids=ID 列表; if=如果;
ignore=忽略; ignored=已忽略; image=图片; in=入站; inbound=入站; include=包含; individual=个人; info=信息;
initial=初始值; install=安装; installation=系统; installed=已安装; instance=实例; instances=实例; integrity=完整性校验;
interval=间隔; invoice=发票; invoices=发票; ip=IP; ips=IP; is=是; iso8601=ISO 8601; isp=运营商; item=项目; items=项目;
job=后台任务; jobs=后台任务; js=JS; json=JSON; kb=KB; keep=保留; kernel=内核; key=密钥; keys=密钥; keyword=关键字;
kid=密钥 ID; kind=种类; known=已知; label=标签; lang=语言; language=语言; last=最近; latest=最新; length=长度;
less=更少; letters=字符; level=级别; lfu=LFU; life=有效期; lifetime=有效期; limit=限制; limiting=限制; limits=限制;
line=行; lines=行; link=链接; links=链接; list=列表; listen=监听; listener=监听器; lists=列表; load=负载;
load15m=15 分钟负载; load1m=1 分钟负载; load5m=5 分钟负载; local=本地; location=位置; log=日志; logical=逻辑;
login=登录; logs=日志; low=低; machine=主机; made=制作; mail=邮件; mails=邮件数; map=映射; match=匹配; max=最大;
maximum=最大; may=可; mb=MB; measured=测量; media=媒介; medias=媒介; memory=内存; message=消息; messages=消息;
method=方法; methods=方法; metric=指标; metrics=指标; milliseconds=（毫秒）; mime=MIME; min=最小; minimum=最小;
minute=分钟; minutes=（分钟）; mismatch=不匹配; missing=缺失; mmap=内存映射; mobile=手机号; mode=模式; module=模块;
modules=模块; month=月份; monthly=每月; months=月数; more=更多; ms=（毫秒）; msec=毫秒时间戳; mx=MX; name=名称;
names=名称; needs=需要; net=净; new=新; next=下一个; nftables=Nftables; node=节点; nodes=节点; none=无; not=非;
note=说明; notice=通知; notify=通知; ns=DNS; number=编号; object=对象; objects=对象; ocsp=OCSP; of=的; offered=提供的;
offline=离线; offset=偏移; ok=成功; old=旧; on=启用; once=一次; online=在线; only=仅; open=开放; operation=操作;
operations=操作; operator=运算符; option=选项; options=选项; or=或; order=订单; orders=订单; origin=源站; origins=源站;
os=操作系统; oss=对象存储; otp=两步验证; out=出站; outbound=出站; overdue=逾期; overwrite=覆盖; owner=所有者;
package=包; packages=包; page=页面; paid=已支付; param=参数; params=参数; parent=上级; part=部分; partial=部分;
partition=分区; partitions=分区; passphrase=私钥口令; password=密码; past=过去; path=路径; pay=支付; peak=峰值;
peek=峰值; pending=待处理; per=每; percent=百分比; percentile=百分位; performance=性能; period=周期; periods=周期;
persistence=持久化; physical=物理; pinned=置顶; place=存放位置; plaintext=明文; plan=套餐; plans=套餐; plugin=插件;
plugins=插件; point=点; points=点; policies=策略; policy=策略; poll=轮询; port=端口; ports=端口; positions=位置;
prefix=前缀; price=价格; prices=价格; primary=主要; prior=优先; priority=优先级; private=私有; problem=问题;
problems=问题; program=程序; progress=进度; prompt=提示; propagation=传播; protection=防护; proto=协议; protocol=协议;
protocols=协议; provider=服务商; providers=服务商; province=省份; proxy=代理; public=公共; publish=发布; purge=清理;
qrcode=二维码; query=查询; question=问题; queue=队列; quota=配额; quotas=配额; range=范围; ranges=范围; rate=速率;
raw=原始; reached=可达; read=已读; reading=读取; reads=读取; reason=原因; receiver=接收者; receivers=接收者;
recipient=接收人; recipients=接收人; record=记录; records=记录; recursion=递归; redirect=重定向; redirects=重定向;
ref=引用; referer=来源页; refresh=刷新; refs=引用; refund=退款; refunded=已退款; refunds=退款; region=区域;
regions=区域; registered=注册; registration=注册; registrations=注册; reject=拒绝; rejected=已拒绝; related=相关;
remark=备注; remote=远程; remove=移除; removed=已移除; renew=续期; repeat=重复; replace=替换; replica=副本;
report=监测; reported=上报; reports=上报; request=请求; requested=请求; requests=请求; require=要求; required=必填; requires=依赖;
resolve=解析; resolvers=解析服务器; response=响应; responses=响应; rest=REST; restriction=使用限制; result=结果;
results=结果; retention=保留; retire=停签; retry=重试; rewrite=重写; role=角色; roles=角色; rotate=轮换; route=线路;
routes=线路; row=行; rows=行数; rule=规则; rules=规则; running=运行中; runtime=运行时; s3=S3; sample=采样;
sampling=采样; scheduling=调度; scheme=URL 协议; scope=范围; search=搜索; seasonally=每季; second=秒; secondary=次要;
secondly=每秒; seconds=（秒）; secret=密钥; secrets=密钥; seen=已出现; segment=段; segments=分段; seller=销售方;
sendfile=sendfile; sent=已发送; serial=序列号; series=系列; served=提供服务; server=网站; servers=网站; service=服务;
services=服务; session=会话; sessions=会话; set=规则集; sets=规则集; setting=设置; settings=设置; sha256=SHA-256;
shared=共享; show=显示; sign=签名; simple=简单; since=自; size=大小; skip=跳过; skipped=已跳过; small=小; sms=短信;
smtp=SMTP; soa=SOA; source=来源; speed=速度; srv=SRV; ssh=SSH; ssl=SSL; start=开始; started=已开始; stat=统计;
state=状态; states=状态; stats=统计; status=状态; step=步骤; steps=步骤; stop=停止; store=存储; streams=流; strictly=严格;
string=字符串; strip=去除; sub=子; subject=主题; success=成功; suffix=后缀; sum=合计; summary=摘要; super=超级管理员;
support=支持; supports=支持; suspended=已暂停; syn=SYN; sync=同步; system=系统; systemd=systemd; table=表;
tables=数据表; tag=标签; tags=标签; target=目标; task=任务; tasks=任务; tax=税; taxes=税费; tb=TB; tcp=TCP; tel=电话;
telegram=Telegram; template=模板; text=文本; texts=文本; theme=主题; threads=线程数; ticket=工单; tickets=工单;
time=时间; timeout=超时; timestamp=时间戳; title=标题; tls=TLS; to=止; today=今日; token=令牌; tokens=令牌; top=最高;
total=总计; traffic=流量; trim=整理; tsig=TSIG; ttl=TTL; tuning=调优; txt=TXT; type=类型; types=类型; udp=UDP; ui=界面;
unique=唯一; unit=单位; unknown=未知; unread=未读; until=至; up=在线; update=更新; updated=已更新; upgrade=升级;
upload=上传; uri=URI; url=URL; urls=URL; usage=使用率; use=使用; used=已用; user=用户; username=用户名; users=用户;
uses=使用; value=值; values=值; variables=变量; verification=验证; verified=已验证; verify=验证; verifying=待验证;
version=版本; versions=版本; waiting=等待; warn=警告; weak=弱; web=Web; websocket=WebSocket; week=周; weekly=每周;
weeks=周数; weight=权重; width=宽度; wildcard=泛域名; with=含; without=不含; worker=工作进程; workers=工作进程;
write=写入; writes=写入; writing=写入; xff=X-Forwarded-For; year=年份; yearly=每年; years=年数; zone=区域; zones=区域;
zsk=ZSK
`;

/** Words that mean something else, or can be more exact, where they are a whole name. */
export const ALONE = `
as=别名; bytes=字节数; connections=连接数; count=数量; delta=变动金额; down=离线; except=除外; expires=到期时间; from=发件地址; hours=小时数; key=键;
keys=键; line=行号; lines=明细; max=最大值; milliseconds=毫秒数; min=最小值; minutes=分钟数; ms=毫秒数; open=开放; order=排序; parent=上级;
public=公开; requests=请求数; reverse=取反; seconds=秒数; series=编号前缀; su=以 root 身份执行; sum=校验和; to=目标; total=总额; up=在线; use=使用;
uses=依赖; when=适用条件
`;
